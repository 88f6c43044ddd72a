import { describe, expect, it } from 'vitest';
import { RegionCache, type Eviction } from '../src/endpoint/region-cache.js';

function cacheOf(capacity: number, evict: Eviction) {
  const dropped: string[] = [];
  const cache = new RegionCache<string, string>(
    capacity,
    evict,
    (key) => key.toUpperCase(),
    (value) => dropped.push(value),
  );
  const use = (keys: string): string =>
    [...keys]
      .map((key) => {
        const { hit } = cache.take(key);
        cache.release();
        return hit ? 'h' : 'm';
      })
      .join('');
  return { cache, dropped, use };
}

describe('a cache of regions', () => {
  it('keeps what fits', () => {
    const { use, dropped, cache } = cacheOf(3, 'lru');
    expect(use('abcabc')).toBe('mmmhhh');
    expect(dropped).toEqual([]);
    cache.clear();
    expect(dropped).toEqual(['A', 'B', 'C']);
    expect(cache.size).toBe(0);
  });

  it('drops the least recently used', () => {
    const { use, dropped } = cacheOf(2, 'lru');
    expect(use('abacb')).toBe('mmhmm');
    expect(dropped).toEqual(['B', 'A']);
  });

  it('hits nothing in a cycle that is one too long', () => {
    expect(cacheOf(3, 'lru').use('abcdabcdabcd')).toBe('m'.repeat(12));
  });

  it('drops the most recently used', () => {
    const { use, dropped } = cacheOf(3, 'mru');
    expect(use('abcdabcd')).toBe('mmmmhhmh');
    expect(dropped).toEqual(['C', 'B']);
  });

  it('keeps nothing without capacity', () => {
    const { use, dropped, cache } = cacheOf(0, 'lru');
    expect(use('aab')).toBe('mmm');
    expect(dropped).toEqual(['A', 'A', 'B']);
    expect(cache.size).toBe(0);
  });
});
