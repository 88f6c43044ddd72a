'use client';
import type { AgentMessage, Measurement, SweepRecord } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { toFailure } from './failure';
import { hear, request, useAgent } from './store';
import type { Failure } from '../ui/states';

export interface KnownSweep {
  sweep: SweepRecord;
  /** By position, each once. */
  measurements: readonly Measurement[];
}

/** A sweep after a message: the same one where the message is about something else. */
export function afterMessage(known: KnownSweep, message: AgentMessage): KnownSweep {
  if (message.type === 'sweep.changed' && message.sweep.id === known.sweep.id)
    return { ...known, sweep: message.sweep };
  if (message.type !== 'sweep.measured' || message.sweepId !== known.sweep.id) return known;
  const others = known.measurements.filter(({ position }) => position !== message.measurement.position);
  const measurements = [...others, message.measurement].sort((a, b) => a.position - b.position);
  return { ...known, measurements };
}

/** A sweep as the agent has it, kept up to date; read again after each connection. */
export function useSweep(id: string): { known: KnownSweep | null; failure: Failure | null } {
  const connected = useAgent((s) => s.status === 'open');
  const [known, setKnown] = useState<KnownSweep | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (!connected) return;
    let gone = false;
    const stop = hear((message) => setKnown((old) => old && afterMessage(old, message)));
    request('sweep.get', { sweepId: id }).then(
      ({ sweep, measurements }) => {
        if (!gone) setKnown({ sweep, measurements });
      },
      (e: unknown) => {
        if (!gone) setFailure(toFailure(e));
      },
    );
    return () => {
      gone = true;
      stop();
    };
  }, [id, connected]);
  return { known, failure };
}

/** The latest sweeps, newest first. */
export interface KnownSweeps {
  /** Null until the agent has said them. */
  sweeps: readonly SweepRecord[] | null;
  /** Numbers of those that the agent has and cannot read. */
  unreadable: readonly number[];
  /** Why it has not. */
  failure: Failure | null;
}

/** The latest sweeps, kept up to date; read again after each connection. */
export function useSweeps(wanted = true): KnownSweeps {
  const connected = useAgent((s) => s.status === 'open');
  const [sweeps, setSweeps] = useState<SweepRecord[] | null>(null);
  const [unreadable, setUnreadable] = useState<number[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (!connected || !wanted) return;
    let gone = false;
    const stop = hear((message) => {
      if (message.type !== 'sweep.changed') return;
      const { sweep } = message;
      setSweeps(
        (old) =>
          old && [...old.filter(({ id }) => id !== sweep.id), sweep].sort((a, b) => b.number - a.number),
      );
    });
    request('sweep.list', {}).then(
      (reply) => {
        if (gone) return;
        setSweeps(reply.sweeps);
        setUnreadable(reply.unreadable?.map(({ number }) => number) ?? []);
        setFailure(null);
      },
      (e: unknown) => {
        if (!gone) setFailure(toFailure(e));
      },
    );
    return () => {
      gone = true;
      stop();
    };
  }, [connected, wanted]);
  return { sweeps, unreadable, failure };
}
