import { expect, it } from 'vitest';
import { meanWithSpikes, summaryOf } from '../src/load/latency-summary.js';
import { loop } from './loop-result.js';

it('computes a mean that no request has', () => {
  expect(meanWithSpikes(10, 1 / 200, 2000)).toBe(20);
});

it('sums up several loops', () => {
  const calm = loop();
  const slow = loop({
    latency: { count: 1000, minNs: 7000, meanNs: 7000, maxNs: 7000, distribution: [[7000, 1000]] },
  });
  const summary = summaryOf([calm, slow], 7)!;
  expect(summary.us.n).toBe(5000);
  // 4,000 of 2 µs and 1,000 of 7 µs.
  expect(summary.mean).toBeCloseTo(3, 9);
  expect(summary.atLeast(6)).toBe(1051);
  // A slot begins at the bound, so that latencies of at least 7 µs are drawn there and not below.
  expect(summary.slots.at(-1)).toEqual({ x: 7, y: 1000 });
  expect(summary.slots.reduce((sum, { y }) => sum + y, 0)).toBe(5000);
  // Each count is exact at its latency, and no step is wider than 1 %.
  expect(summary.cumulative.at(-1)).toEqual({ x: 7, y: 5000 });
  for (const { x, y } of summary.cumulative) expect(summary.us.n! - y).toBe(summary.atLeast(x + 0.0005));
  // Less than half of the WRITEs being slower is where a line begins.
  expect(summary.percentiles[0]!.x).toBe(2);
});

it('has nothing to say where nothing was timed', () => {
  const none = { count: 0, minNs: 0, meanNs: 0, maxNs: 0 };
  expect(summaryOf([loop({ latency: none })], 7)).toBeNull();
});

it('joins latencies within 1 % of each other into steps', () => {
  const latency = { count: 6, minNs: 1000, meanNs: 1012, maxNs: 1031 };
  const distribution: [number, number][] = [
    [1000, 1],
    [1005, 1],
    [1010, 2],
    [1011, 1],
    [1031, 1],
  ];
  expect(summaryOf([loop({ latency: { ...latency, distribution } })])!.cumulative).toEqual([
    { x: 1.01, y: 4 },
    { x: 1.011, y: 5 },
    { x: 1.031, y: 6 },
  ]);
});
