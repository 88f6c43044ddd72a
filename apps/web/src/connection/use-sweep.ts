'use client';
import type { AgentMessage, Measurement, SweepRecord } from '@verbslab/protocol';
import { request } from './store';
import { useKept } from './use-kept';

export interface KnownSweep {
  sweep: SweepRecord;
  /** Measurements by position, without duplicates. */
  measurements: readonly Measurement[];
}

/** The sweep after a message; unchanged if the message is about something else. */
export function afterMessage(known: KnownSweep, message: AgentMessage): KnownSweep {
  if (message.type === 'sweep.changed' && message.sweep.id === known.sweep.id)
    return { ...known, sweep: message.sweep };
  if (message.type !== 'sweep.measured' || message.sweepId !== known.sweep.id) return known;
  const others = known.measurements.filter(({ position }) => position !== message.measurement.position);
  const measurements = [...others, message.measurement].sort((a, b) => a.position - b.position);
  return { ...known, measurements };
}

/** A sweep of the agent, kept up to date. */
export const useSweep = (sweepId: string) =>
  useKept<KnownSweep>(sweepId, () => request('sweep.get', { sweepId }), afterMessage);

/** The latest sweeps, newest first. */
interface KnownSweeps {
  sweeps: readonly SweepRecord[];
  /** Numbers of the sweeps that the agent cannot read. */
  unreadable: readonly number[];
}

/** The list of sweeps after a message, newest first. */
function listAfter(known: KnownSweeps, message: AgentMessage): KnownSweeps {
  if (message.type !== 'sweep.changed') return known;
  const others = known.sweeps.filter(({ id }) => id !== message.sweep.id);
  return { ...known, sweeps: [...others, message.sweep].sort((a, b) => b.number - a.number) };
}

const askForSweeps = async (): Promise<KnownSweeps> => {
  const { sweeps, unreadable = [] } = await request('sweep.list', {});
  return { sweeps, unreadable: unreadable.map(({ number }) => number) };
};

export const useSweeps = (wanted = true) => useKept(wanted ? 'sweeps' : null, askForSweeps, listAfter);
