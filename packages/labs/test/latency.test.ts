import type { EndpointLoopResult } from '@verbslab/protocol';
import { LatencyHistogram } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { distributionOf, misfit } from '../src/load/distribution.js';
import type { PingPong } from '../src/load/ping.js';

/** A loop with these round trips, ns. */
function loopOf(ns: readonly number[]): EndpointLoopResult {
  const histogram = new LatencyHistogram();
  for (const one of ns) histogram.record(one);
  return {
    messages: ns.length,
    latency: {
      count: ns.length,
      minNs: Math.min(...ns),
      maxNs: Math.max(...ns),
      meanNs: ns.reduce((sum, one) => sum + one, 0) / ns.length,
      distribution: histogram.distribution,
    },
  } as EndpointLoopResult;
}

const rounds = (...all: (readonly number[])[]): PingPong[] =>
  all.map((ns) => ({ client: loopOf(ns), server: loopOf([]) }));

const steps = (count: number, ns: (i: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => ns(i));

describe('a distribution of round trips', () => {
  it('ends where fewer than ten samples lie beyond', () => {
    const found = distributionOf(rounds(steps(1000, (i) => i + 1)));
    const last = found?.points.at(-1);
    expect(last).toEqual({ x: 100, y: 0.99 });
    expect(found?.points.find(({ x }) => x === 2)?.y).toBe(0.5);
    expect(found?.us.p999).toBeNull();
  });

  it('has the range of its rounds where each has enough samples by itself', () => {
    const found = distributionOf(
      rounds(
        steps(500, () => 1000),
        steps(500, () => 2000),
      ),
    );
    expect(found?.points.find(({ x }) => x === 10)).toMatchObject({ min: 1, max: 2 });
    expect(found?.points.find(({ x }) => x === 100)).not.toHaveProperty('min');
    expect(found?.median).toEqual({ value: 1.5, min: 1, max: 2, n: 2 });
  });

  it('is none without a sample', () => {
    expect(distributionOf(rounds([]))).toBeNull();
  });
});

describe('a loop and its distribution', () => {
  const loop = loopOf(steps(500, (i) => 5000 + 37 * i));

  it('fit', () => expect(misfit(loop)).toBeNull());

  it.each([
    ['a message without a sample', { messages: 501 }, 'but 501 were made'],
    ['another minimum', { latency: { ...loop.latency, minNs: 4000 } }, 'the shortest'],
    ['another maximum', { latency: { ...loop.latency, maxNs: 40_000 } }, 'the longest'],
    ['another mean', { latency: { ...loop.latency, meanNs: 9000 } }, 'the mean'],
  ])('do not fit with %s', (_, change, fault) => {
    expect(misfit({ ...loop, ...change })).toContain(fault);
  });
});
