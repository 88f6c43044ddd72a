import { latencyPoints, MOST_INTERVALS, RequestLatencies } from '@verbslab/charts/data';
import { LatencyHistogram } from '@verbslab/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** Completions: time after the start of the run, latency and opcode. */
type Done = readonly [t: number, ns: number, opcode: number];

function fold(all: readonly Done[]) {
  const latencies = new RequestLatencies();
  for (const [t, ns, opcode] of all) {
    const one = (value: number) => Uint32Array.of(value);
    latencies.take(t, {
      ...{ dt: one(0), latency: one(ns), meta: one(opcode), wrId: one(0), qpn: one(17) },
      ...{ byteLen: one(0), imm: one(0), batch: one(1) },
    });
  }
  return latencies.snapshot();
}

const done = fc.tuple(
  fc.integer({ min: 0, max: 3e11 }),
  fc.integer({ min: 1, max: 4e9 }),
  fc.constantFrom(0, 1, 2),
);

it('keeps every request in its total, in a stretch and in a cell, at any length of a run', () => {
  fc.assert(
    fc.property(fc.array(done, { minLength: 1, maxLength: 300 }), (all) => {
      const { measured, opcodes, width } = fold(all);
      expect(measured).toBe(all.length);
      const [first] = opcodes;
      const total = LatencyHistogram.of(first!.distribution);
      const direct = new LatencyHistogram();
      for (const [, ns] of all) direct.record(ns);
      expect(total.distribution).toEqual(direct.distribution);
      for (const { opcode, distribution, stretches, heat, t } of opcodes) {
        const n = all.filter(([, , one]) => opcode === null || opcodes.length === 1 || one === opcode).length;
        expect(LatencyHistogram.of(distribution).count).toBe(n);
        expect(stretches.reduce((sum, one) => sum + one.n, 0)).toBe(n);
        expect(heat.counts.reduce((a, b) => a + b, 0)).toBe(n);
        expect(heat.counts.length).toBe(t.length * heat.classes.length);
        expect(t.length).toBeLessThanOrEqual(MOST_INTERVALS);
        for (const [i, { from, to }] of stretches.entries()) {
          expect(to).toBeGreaterThan(from);
          expect(from % width).toBe(0);
          expect(from).toBeGreaterThanOrEqual(stretches[i - 1]?.to ?? 0);
        }
      }
    }),
    { numRuns: 50 },
  );
});

it('withholds p99 where a stretch has too few requests, and merges intervals where that gives enough', () => {
  const every = (n: number): Done[] => Array.from({ length: n }, (_, i) => [i * 1e5, 1000 + i, 0]);
  const few = fold(every(400)).opcodes[0]!.stretches;
  expect(few.every(({ p99 }) => p99 === null)).toBe(true);
  expect(few.every(({ p50 }) => p50 !== null)).toBe(true);
  const many = fold(every(6000)).opcodes[0]!.stretches;
  expect(many.length).toBeGreaterThan(1);
  expect(many.every(({ n, p99 }) => n >= 1000 && p99 !== null)).toBe(true);
});

it('has a gap in its lines where no request completed', () => {
  const burst = (from: number): Done[] => Array.from({ length: 2000 }, (_, i) => [from + i * 1e4, 5000, 0]);
  const points = latencyPoints(fold([...burst(0), ...burst(5e8)]).opcodes[0]!.stretches);
  const gap = points.findIndex(({ p50 }) => p50 === null);
  expect(gap).toBeGreaterThan(0);
  expect(points[gap + 1]!.t).toBeGreaterThan(0.4);
});

it('counts what was capped, failed, or has no time of its post', () => {
  const { measured, capped, failed, untimed, receives } = fold([
    [0, 0xffff_ffff, 0],
    [0, 7, 12 << 8],
    [0, 0, 1],
    [0, 0, 128],
  ]);
  expect({ measured, capped, failed, untimed, receives }).toEqual({
    measured: 1,
    capped: 1,
    failed: 1,
    untimed: 1,
    receives: 1,
  });
});
