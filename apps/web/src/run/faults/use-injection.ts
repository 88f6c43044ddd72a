'use client';
import type { Faults } from '@verbslab/protocol';
import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../connection/failure';
import { request } from '../../connection/store';
import type { Failure } from '../../ui/states';

export interface Injection {
  /** Injects from now on; while a change is on its way, only the latest of those that follow goes after it. */
  inject: (endpoint: string | null, faults: Faults) => void;
  failure: Failure | null;
}

/** Sends what a person sets, at once and in order. */
export function useInjection(runId: string): Injection {
  const [failure, setFailure] = useState<Failure | null>(null);
  const next = useRef<{ endpoint: string | null; faults: Faults } | null>(null);
  const busy = useRef(false);
  const gone = useRef(false);
  useEffect(
    () => () => {
      gone.current = true;
    },
    [],
  );

  async function send(): Promise<void> {
    busy.current = true;
    try {
      while (next.current) {
        const { endpoint, faults } = next.current;
        next.current = null;
        await request('run.faults', { runId, ...(endpoint === null ? {} : { endpoint }), faults });
      }
      if (!gone.current) setFailure(null);
    } catch (error) {
      if (!gone.current) setFailure(toFailure(error));
    } finally {
      busy.current = false;
    }
  }
  return {
    failure,
    inject: (endpoint, faults) => {
      next.current = { endpoint, faults };
      if (!busy.current) void send();
    },
  };
}
