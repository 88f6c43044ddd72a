'use client';
import type { MachinesWork } from '@verbslab/protocol';
import { useCallback, useEffect, useState } from 'react';
import { toFailure } from '../connection/failure';
import { hear, request } from '../connection/store';
import type { Failure } from '../ui/states';
import { later } from './machines-text';

type Asked = 'machines.start' | 'machines.stop' | 'machines.cancel';

export interface MachinesAsked {
  /** Why the agent refused. */
  failure: Failure | null;
  ask: (type: Asked) => Promise<void>;
}

/** Has the agent start and stop the virtual machines; `heard` is what it said last about that without being asked. */
export function useMachines(): MachinesAsked & { heard: MachinesWork | null } {
  const [heard, setHeard] = useState<MachinesWork | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(
    () =>
      hear((message) => {
        if (message.type === 'machines.changed') setHeard(message.work);
      }),
    [],
  );
  const ask = useCallback(async (type: Asked) => {
    setFailure(null);
    try {
      const { work } = await request(type, {});
      setHeard((before) => later(before, work));
    } catch (error) {
      setFailure(toFailure(error));
    }
  }, []);
  return { heard, failure, ask };
}
