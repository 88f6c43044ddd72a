/** Pauses of a client after each failed try. Pure functions. */
import { seeded } from '../base/random.js';

export const POLICIES = ['fixed', 'exponential', 'jitter'] as const;
export type Policy = (typeof POLICIES)[number];

export const POLICY_TITLES: Readonly<Record<Policy, string>> = {
  fixed: 'Fixed pause',
  exponential: 'Exponential back-off',
  jitter: 'Back-off with full jitter',
};

/** The longest pause is this many times the first one. */
const LONGEST = 16;
/** Tries after the first. */
const TRIES = 400;

/** Upper bound of the pause after try n, from 0: doubled each time, up to the longest. */
export const boundOf = (pause: number, n: number): number => pause * Math.min(2 ** n, LONGEST);

/** @param pause after the first failed try, ms @param seed of a client, for jitter */
export function waitsOf(policy: Policy, pause: number, seed: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: TRIES }, (_, n) => {
    if (policy === 'fixed') return pause;
    const bound = boundOf(pause, n);
    // Full jitter: anything from 0 to the bound.
    return policy === 'jitter' ? random() * bound : bound;
  });
}

/** The largest number of these times within a window of this length. */
export function mostWithin(times: readonly number[], window: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while (sorted[to]! - sorted[from]! >= window) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

/** The policy with the smallest value, if it is the only one with it. */
export function onlyOne<T extends { policy: Policy }>(
  all: readonly T[],
  value: (one: T) => number,
): Policy | 'equal' {
  const least = Math.min(...all.map(value));
  const found = all.filter((one) => value(one) === least);
  return found.length === 1 ? found[0]!.policy : 'equal';
}
