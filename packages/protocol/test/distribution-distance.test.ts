import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ksDistance, LatencyHistogram, widestDistance } from '../src/index.js';

const of = (values: readonly number[]): LatencyHistogram => {
  const histogram = new LatencyHistogram();
  for (const value of values) histogram.record(value);
  return histogram;
};

/** Reference by the definition: the share of samples that are not above x, at every x where a sample changes it. */
function reference(a: readonly number[], b: readonly number[]): number {
  const below = (values: readonly number[], x: number) =>
    values.filter((one) => one <= x).length / values.length;
  return Math.max(...[...a, ...b].map((x) => Math.abs(below(a, x) - below(b, x))));
}

/** Values in a range in which a slot of the recorder is one nanosecond wide, so nothing is rounded. */
const exact = fc.array(fc.integer({ min: 0, max: 2047 }), { minLength: 1, maxLength: 60 });
const any = fc.array(fc.integer({ min: 0, max: 60e9 }), { minLength: 1, maxLength: 60 });

describe('the distance of two distributions', () => {
  it.each([
    // F(a) − F(b) is largest between 2 and 3, where 2 of 3 are done against 0 of 2.
    ['shifted', [1, 2, 3], [3, 4], 2 / 3, 2],
    ['apart', [10, 20], [30, 40, 50], 1, 20],
    ['equal', [5, 5, 9], [9, 5, 5], 0, 5],
    ['with another weight', [1, 1, 1, 2], [1, 2, 2, 2], 0.5, 1],
  ])('is as computed by hand: %s', (_, a, b, distance, ns) => {
    const found = ksDistance(of(a), of(b))!;
    expect(found.distance).toBeCloseTo(distance, 12);
    expect(found.ns).toBe(ns);
    expect(found.n).toEqual([a.length, b.length]);
    if (distance > 0) expect(Math.abs(found.shares[0] - found.shares[1])).toBeCloseTo(distance, 12);
  });

  it('agrees with the definition where the recorder rounds nothing', () => {
    fc.assert(
      fc.property(exact, exact, (a, b) => {
        expect(ksDistance(of(a), of(b))!.distance).toBeCloseTo(reference(a, b), 12);
      }),
    );
  });

  it('is never above the definition, is symmetric, and is 0 to itself', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const { distance } = ksDistance(of(a), of(b))!;
        expect(distance).toBeGreaterThanOrEqual(0);
        // Values that share a slot count as equal, which can only bring the curves together.
        expect(distance).toBeLessThanOrEqual(reference(a, b) + 1e-12);
        expect(ksDistance(of(b), of(a))!.distance).toBe(distance);
        expect(ksDistance(of(a), of(a))!.distance).toBe(0);
      }),
    );
  });

  it('knows no distance to nothing', () => {
    expect(ksDistance(of([]), of([1]))).toBeNull();
    expect(widestDistance([of([1])])).toBeNull();
    expect(widestDistance([of([1]), of([1, 2]), of([2])])).toBe(1);
  });
});
