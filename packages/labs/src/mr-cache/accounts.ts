/** Hits, misses and times of the messages of one round. */
import { median, type TimedWrite } from '@verbslab/protocol';
import { pick, seeded } from '../base/random.js';
import { LENGTHS, type MrCacheParams } from './params.js';

const ORDER_SEED = 8;

/** Lengths of the messages, in their order. */
export function messageLengths({ iterations, order }: Pick<MrCacheParams, 'iterations' | 'order'>): number[] {
  const random = seeded(ORDER_SEED);
  return Array.from({ length: iterations }, (_, i) =>
    order === 'cycle' ? LENGTHS[i % LENGTHS.length]! : pick(random, LENGTHS),
  );
}

export interface Accounts {
  hits: number;
  misses: number;
  evictions: number;
  /** Preparation time, ns; NaN without messages. */
  hitNs: number;
  missNs: number;
  prepareNs: number;
}

export function accountsOf(writes: readonly TimedWrite[]): Accounts {
  const times = (hit: boolean): number[] =>
    writes.filter((one) => one.hit === hit).map(({ prepareNs }) => prepareNs);
  const [hits, misses] = [times(true), times(false)];
  return {
    hits: hits.length,
    misses: misses.length,
    evictions: writes.reduce((sum, { evictions }) => sum + evictions, 0),
    hitNs: median(hits),
    missNs: median(misses),
    prepareNs: writes.reduce((sum, { prepareNs }) => sum + prepareNs, 0),
  };
}

/**
 * Misses that must come out where arithmetic says so: one for each buffer if all fit; all messages if the least
 * recently used one goes just before its turn comes. Null otherwise.
 */
export function expectedMisses(
  { capacity, eviction, order }: MrCacheParams,
  lengths: readonly number[],
): number | null {
  const buffers = new Set(lengths).size;
  if (capacity >= buffers) return buffers;
  if (capacity === 0) return lengths.length;
  return order === 'cycle' && eviction === 'lru' ? lengths.length : null;
}

/**
 * Each message with the medians of its times over the rounds. The cache does the same in each of them. A moment in
 * which the program did not run spoils one message of one round.
 */
export function typical(rounds: readonly (readonly TimedWrite[])[]): TimedWrite[] {
  const [first = []] = rounds;
  return first.map((write, index) => {
    const over = (time: (one: TimedWrite) => number): number =>
      median(rounds.map((round) => time(round[index]!)));
    return {
      ...write,
      prepareNs: over(({ prepareNs }) => prepareNs),
      transferNs: over(({ transferNs }) => transferNs),
    };
  });
}
