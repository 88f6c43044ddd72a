import { describe, expect, it } from 'vitest';
import { accountsOf, expectedMisses, messageLengths, typical } from '../src/mr-cache/accounts.js';
import { asExpected, bounded, counted } from '../src/mr-cache/checks.js';
import type { MrCacheParams } from '../src/mr-cache/params.js';

const params = (over: Partial<MrCacheParams> = {}): MrCacheParams => ({
  ...{ iterations: 40, capacity: 4, eviction: 'lru', order: 'cycle', rounds: 3, link: 'auto' },
  ...over,
});

describe('the messages', () => {
  it('take turns through the buffers', () => {
    expect(messageLengths(params({ iterations: 5 }))).toEqual([4096, 8192, 16_384, 32_768, 4096]);
  });

  it('are the same random ones in every round', () => {
    const drawn = messageLengths(params({ order: 'random' }));
    expect(drawn).toEqual(messageLengths(params({ order: 'random' })));
    expect(new Set(drawn).size).toBe(4);
  });
});

describe('the expected misses', () => {
  it.each([
    [{}, 4],
    [{ iterations: 3 }, 3],
    [{ capacity: 8 }, 4],
    [{ capacity: 3 }, 40],
    [{ capacity: 0, order: 'random' }, 40],
    [{ capacity: 3, eviction: 'mru' }, null],
    [{ capacity: 3, order: 'random' }, null],
  ] as const)('with %o are %o', (over, expected) => {
    expect(expectedMisses(params(over), messageLengths(params(over)))).toBe(expected);
  });
});

describe('the typical round', () => {
  it('has the median of each message', () => {
    const round = (...times: number[]) =>
      times.map((prepareNs, i) => ({ hit: i > 0, evictions: 0, prepareNs, transferNs: 1 }));
    expect(typical([round(10, 1), round(900, 2), round(11, 700)])).toEqual(round(11, 2));
  });
});

describe('the checks', () => {
  const write = (hit: boolean, evictions = 0) => ({ hit, evictions, prepareNs: hit ? 1 : 9, transferNs: 5 });
  const accounts = accountsOf([write(false), write(false), write(true), write(false, 1)]);

  it('hold for what adds up', () => {
    expect(accounts).toMatchObject({ hits: 1, misses: 3, evictions: 1, hitNs: 1, missNs: 9, prepareNs: 28 });
    expect(counted(accounts, 4).ok).toBe(true);
    expect(asExpected(accounts, 3).ok).toBe(true);
    expect(bounded(accounts, 2, 2).ok).toBe(true);
  });

  it('fail for what does not', () => {
    expect(counted(accounts, 5).ok).toBe(false);
    expect(asExpected(accounts, 4).ok).toBe(false);
    expect(bounded(accounts, 3, 3).ok).toBe(false);
    expect(bounded(accounts, 2, 1).ok).toBe(false);
    expect(asExpected(accounts, null).ok).toBeNull();
  });
});
