/** An experiment: a cause on purpose, and the counters that it must move. */
import type { EndpointArgs, Intended } from '@verbslab/protocol';
import type { Bench } from '../failures/bench.js';
import { counting } from '../loss/faulty.js';
import type { HwCountersParams } from './params.js';

export const GROUPS = ['traffic', 'loss', 'receive', 'refused'] as const;

export type Moved = Readonly<Record<string, number>>;
export interface BothMoved {
  client: Moved;
  server: Moved;
}

export interface Move {
  counter: string;
  at: 'client' | 'server';
  /** Expected growth of the counter. */
  by: number | ((moved: BothMoved) => number);
}

export interface Experiment {
  group: (typeof GROUPS)[number];
  /** The cause, in a few words. */
  what: string;
  moves: Move[];
  /** Status of the request. */
  status: number;
  intends?: Intended[];
  /**
   * Sets up everything that must not count, and returns the function whose effects count. That function resolves with
   * the status of the request.
   */
  prepare: (bench: Bench, params: HwCountersParams) => Promise<() => Promise<number | null>>;
}

export interface Done {
  moved: BothMoved;
  status: number | null;
}

/** Counts at both ends while the experiment acts. */
export async function perform(
  bench: Bench,
  { prepare }: Experiment,
  params: HwCountersParams,
): Promise<Done> {
  const act = await prepare(bench, params);
  const { result, moved: client } = await counting(bench.client, () => counting(bench.server, act));
  for (const endpoint of [bench.client, bench.server]) await endpoint.call('faults', {});
  await bench.clear();
  return { moved: { client, server: result.moved }, status: result.result };
}

type Rule = NonNullable<EndpointArgs<'faults'>['rules']>[number];

/** Applies `action` to the first packet to this QP, once. */
export const first = (action: Rule['action'], qpn: number): { rules: Rule[] } => ({
  rules: [{ action, qpn, iter: 1, times: 1 }],
});
