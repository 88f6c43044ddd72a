import { expect, it } from 'vitest';
import type { Context } from '../src/embedding-cache/endpoints.js';
import { LruCache } from '../src/embedding-cache/lru.js';
import { decodeRow, encodeRow } from '../src/embedding-cache/row.js';
import { reportHits } from '../src/embedding-cache/report.js';
import { bestHitRate, drawer, lruHitRate, popularity } from '../src/embedding-cache/zipf.js';
import { seeded } from '../src/base/random.js';

it('drops the least recently used row', () => {
  const cache = new LruCache(2);
  expect([cache.place(1), cache.place(2)]).toEqual([0, 1]);
  expect(cache.full).toBe(true);
  expect(cache.find(1)).toBe(0);
  expect(cache.place(3)).toBe(1);
  expect(cache.find(2)).toBeUndefined();
  cache.drop(1);
  cache.drop(7);
  expect(cache.full).toBe(false);
  expect(cache.place(4)).toBe(0);
  expect(cache.entries()).toEqual([
    [3, 1],
    [4, 0],
  ]);
});

it('draws by popularity', () => {
  expect(popularity(3, 1).map((share) => Math.round(11 * share))).toEqual([6, 3, 2]);
  const numbers = [0, 0.54, 0.55, 0.81, 0.82, 0.999, 1];
  expect(numbers.map((at) => drawer(popularity(3, 1), () => at)())).toEqual([0, 0, 1, 1, 2, 2, 2]);
});

it.each([
  [512, 16, 1],
  [512, 64, 1],
  [512, 64, 0],
  [256, 32, 1.3],
])('computes the hit rate that simulated caches have: %d rows, %d slots, skew %d', (rows, slots, skew) => {
  const of = popularity(rows, skew);
  const next = drawer(of, seeded(5));
  const cache = new LruCache(slots);
  let [lookups, hits] = [0, 0];
  for (let i = 0; i < 60_000; i++) {
    const row = next();
    const { full } = cache;
    const hit = cache.find(row) !== undefined;
    if (!hit) cache.place(row);
    if (full) lookups++;
    if (full && hit) hits++;
  }
  expect(hits / lookups).toBeCloseTo(lruHitRate(of, slots), 1.7);
  expect(lruHitRate(of, slots)).toBeLessThanOrEqual(bestHitRate(of, slots) + 1e-9);
});

it('knows the bytes of a row', () => {
  const bytes = encodeRow({ row: 300, version: 2 }, 64);
  expect(decodeRow(bytes)).toEqual({ row: 300, version: 2 });
  bytes[63]!++;
  expect(decodeRow(bytes)).toBeNull();
});

it.each([
  [579, true],
  [700, false],
])('judges %d hits of 1000', (hits, right) => {
  const judged: Record<string, boolean> = {};
  const ctx = {
    params: { rows: 512, skew: 1, slots: 64, lookups: 1000 },
    row: () => undefined,
    point: () => undefined,
    figure: () => undefined,
    check: (id: string, ok: boolean) => (judged[id] = ok),
    doesNotApply: () => undefined,
  };
  const one = {
    ...{ slots: 64, lookups: 1000, hits, all: 1000, misses: 0 },
    ...{ allOfFirst: 500, missesOfFirst: 0, cached: 64, wrong: 0 },
  };
  reportHits(ctx as unknown as Context, { measured: [one], requests: null });
  expect(judged).toEqual({ 'hit-rate': right, cached: true });
});
