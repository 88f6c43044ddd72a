'use client';
import type { RunEventOf } from '@verbslab/protocol';
import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../connection/failure';
import { request } from '../../connection/store';
import type { Failure } from '../../ui/states';
import type { RunModel } from '../../model/run-model';
import { faultsOf, type Draft } from './draft';
import { sameText } from './in-effect';

export interface Asked {
  /** Endpoint; null: all. */
  endpoint: string | null;
  draft: Draft;
  /** Number of changes that the page knew at that time. */
  since: number;
  /** Endpoints that apply it; null before the reply. */
  told: readonly string[] | null;
}

export interface Injection {
  /** Latest setting, until the run reports that it is in effect or the agent refuses it. */
  asked: Asked | null;
  /** Injects faults from now on. While a change is being sent, only the latest of the following ones is sent next. */
  inject: (endpoint: string | null, draft: Draft) => void;
  failure: Failure | null;
}

/** True until the run has reported a requested change. A setting that was already in effect is not reported. */
export function underWay({ faults }: Pick<RunModel, 'faults'>, { draft, since, told }: Asked): boolean {
  if (!told) return true;
  const wanted = sameText(faultsOf(draft));
  return told.some((name) => {
    const own = (e: RunEventOf<'faults'>) => e.endpoint === name;
    const before = faults.slice(0, since).findLast(own) ?? {};
    return ![before, ...faults.slice(since).filter(own)].some((e) => sameText(e) === wanted);
  });
}

/** Sends a person's settings immediately and in order. */
export function useInjection(model: RunModel): Injection {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const next = useRef<Asked | null>(null);
  const busy = useRef(false);
  const gone = useRef(false);
  const runId = model.record.id;
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);

  async function send(): Promise<void> {
    busy.current = true;
    try {
      while (next.current) {
        const sent = next.current;
        next.current = null;
        const { endpoints } = await request('run.faults', {
          runId,
          ...(sent.endpoint === null ? {} : { endpoint: sent.endpoint }),
          faults: faultsOf(sent.draft),
        });
        if (!gone.current) setAsked((now) => (now === sent ? { ...sent, told: endpoints } : now));
      }
      if (!gone.current) setFailure(null);
    } catch (error) {
      next.current = null;
      if (!gone.current) {
        setFailure(toFailure(error));
        setAsked(null);
      }
    } finally {
      busy.current = false;
    }
  }
  return {
    asked: asked && underWay(model, asked) ? asked : null,
    failure,
    inject: (endpoint, draft) => {
      next.current = { endpoint, draft, since: model.faults.length, told: null };
      setAsked(next.current);
      if (!busy.current) void send();
    },
  };
}
