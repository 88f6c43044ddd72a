import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatencyHistogram, samplesNeeded, whyWithheld, zLatencyUs, type Distribution } from '../src/index.js';

/** The oracle: another implementation of the same encoding. */
const hdr = createRequire(import.meta.url)('hdr-histogram-js') as {
  build(options: object): { recordValue(ns: number): void; getValueAtPercentile(percent: number): number };
  encodeIntoCompressedBase64(histogram: unknown): string;
};

function encoded(values: readonly number[]) {
  const oracle = hdr.build({ bitBucketSize: 64, useWebAssembly: false, numberOfSignificantValueDigits: 3 });
  for (const value of values) oracle.recordValue(value);
  const compressed = Buffer.from(hdr.encodeIntoCompressedBase64(oracle), 'base64');
  return { oracle, bytes: new Uint8Array(inflateSync(compressed.subarray(8))) };
}

const filled = (count: number): LatencyHistogram =>
  LatencyHistogram.of(Array.from({ length: count }, (_, i) => [i + 1, 1] as [number, number]));

describe('a latency histogram', () => {
  it('agrees with HdrHistogram on every percentile', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 600e9 }), { minLength: 1, maxLength: 200 }),
        (values) => {
          const { oracle, bytes } = encoded(values);
          const own = LatencyHistogram.decode(bytes);
          expect(own.count).toBe(values.length);
          for (const percent of [0.1, 25, 50, 75, 90, 99, 99.9, 100])
            expect(own.valueAt(percent / 100)).toBe(oracle.getValueAtPercentile(percent));
          expect(Math.min(...values) - own.min).toBeGreaterThanOrEqual(0);
          expect(Math.min(...values) - own.min).toBeLessThanOrEqual(own.min / 1000);
        },
      ),
    );
  });

  it('adds up, and goes through JSON', () => {
    const sum = LatencyHistogram.decode(encoded([1000, 5000]).bytes);
    sum.add(LatencyHistogram.decode(encoded([1000, 123_456]).bytes));
    expect([sum.count, sum.min, sum.max]).toEqual([4, 1000, 123_519]);
    const copy = LatencyHistogram.of(JSON.parse(JSON.stringify(sum.distribution)) as Distribution);
    expect(copy.us()).toEqual(sum.us());
  });

  it('rejects data that is not a histogram', () => {
    const { bytes } = encoded([1, 2, 3]);
    for (const bad of [bytes.subarray(0, 20), bytes.subarray(0, bytes.length - 1), new Uint8Array(60)])
      expect(() => LatencyHistogram.decode(bad)).toThrow(RangeError);
  });
});

describe('a percentile', () => {
  it('needs ten samples beyond it, and as the median two on either side', () => {
    expect((['p50', 'p90', 'p99', 'p999'] as const).map(samplesNeeded)).toEqual([5, 100, 1000, 10_000]);
    expect(filled(4).percentile('p50')).toBeNull();
    // From the fewest on, with an even and with an odd number.
    for (const n of [5, 6, 7, 20]) {
      const median = filled(n).percentile('p50')!;
      expect(median - 1).toBeGreaterThanOrEqual(2);
      expect(n - median).toBeGreaterThanOrEqual(2);
    }
    expect(filled(999).us()).toMatchObject({ n: 999, p90: 0.9, p99: null, p999: null });
    expect(filled(1000).us()).toMatchObject({ n: 1000, p99: 0.99, p999: null });
  });

  it('says what it needs', () => {
    expect(whyWithheld('p999', 673)).toBe(
      'p99.9 needs 10,000 samples, so that at least 10 lie beyond it. There are 673.',
    );
    expect(whyWithheld('p50', 1)).toBe(
      'p50 needs 5 samples, so that at least 2 lie on either side of it. There is 1.',
    );
  });

  it('is null in a result, and results of older agents carry no n', () => {
    expect(zLatencyUs.parse(filled(4).us())).toMatchObject({ n: 4, p50: null });
    expect(zLatencyUs.parse({ min: 1, p50: 1, p90: 1, p99: 1, p999: 1, max: 1 }).n).toBeUndefined();
    expect(new LatencyHistogram().us()).toBeNull();
  });
});
