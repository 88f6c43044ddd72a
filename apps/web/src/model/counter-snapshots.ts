/** Counters of an endpoint over a run. */
import type { RunEventOf } from '@verbslab/protocol';

export interface CounterSnapshots {
  before: Record<string, number> | null;
  latest: Record<string, number>;
  /** All snapshots, in order. */
  history: { t: number; values: Readonly<Record<string, number>> }[];
}

/** The snapshots with that of an event. The history is continued in place. */
export function withSnapshot(
  old: CounterSnapshots | undefined,
  { t, when, values }: RunEventOf<'counter'>,
): CounterSnapshots {
  const history = old?.history ?? [];
  history.push({ t, values });
  return { before: when === 'before' ? values : (old?.before ?? null), latest: values, history };
}
