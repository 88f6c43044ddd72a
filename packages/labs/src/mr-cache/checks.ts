import { formatCount, plural } from '../base/format.js';
import type { Accounts } from './accounts.js';

interface Verdict {
  ok: boolean | null;
  detail: string;
}

export function counted({ hits, misses }: Accounts, messages: number): Verdict {
  return {
    ok: hits + misses === messages,
    detail: `${plural(hits, 'hit')} and ${plural(misses, 'miss', 'misses')} of ${plural(messages, 'message')}.`,
  };
}

export function asExpected({ misses }: Accounts, expected: number | null): Verdict {
  if (expected === null)
    return { ok: null, detail: 'The number of misses depends on the order and the eviction.' };
  return {
    ok: misses === expected,
    detail: `${formatCount(misses)} misses; expected ${formatCount(expected)}.`,
  };
}

/**
 * Checks that each registered region is still in the cache or was evicted, and that the cache holds no more than its
 * capacity.
 */
export function bounded({ misses, evictions }: Accounts, left: number, capacity: number): Verdict {
  return {
    ok: misses - evictions === left && left <= capacity,
    detail: `${plural(misses, 'registration')} − ${plural(evictions, 'eviction')} = ${plural(left, 'region')} at the end; the cache holds up to ${formatCount(capacity)}.`,
  };
}
