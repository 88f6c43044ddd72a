import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadCpu, type CpuInterval, type CpuSplit } from '../src/data/index.js';

const MS = 1e6;
const used = ({ app, nic, kernel }: CpuSplit): number => app + (Number.isNaN(nic) ? 0 : nic) + kernel;
const total = (list: readonly CpuSplit[], part: keyof CpuSplit): number =>
  list.reduce((sum, cpu) => sum + (Number.isNaN(cpu[part]) ? 0 : cpu[part]), 0);

/** A sample of a loop with `cores` of `threads` in use. */
const sample = (cores: number, { ms = 100, threads = 1, worked = true } = {}): CpuInterval => ({
  ns: ms * MS,
  cpu: { app: (cores * ms * MS) / 2, nic: NaN, kernel: (cores * ms * MS) / 2 },
  most: threads * ms * MS,
  worked,
});
const cores = (intervals: readonly CpuInterval[]): number[] =>
  spreadCpu(intervals).map((cpu, i) => Number((used(cpu) / intervals[i]!.ns).toFixed(6)));

const anyInterval = fc.record({
  ns: fc.integer({ min: 1, max: 400 }).map((ms) => ms * MS),
  cpu: fc.record({
    app: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500 * MS })),
    nic: fc.oneof(fc.constant(NaN), fc.constant(0), fc.integer({ min: 0, max: 500 * MS })),
    kernel: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500 * MS })),
  }),
  threads: fc.integer({ min: 1, max: 4 }),
  worked: fc.boolean(),
});
const anyRun = fc
  .array(anyInterval, { minLength: 1, maxLength: 60 })
  .map((list) => list.map(({ threads, ...rest }): CpuInterval => ({ ...rest, most: rest.ns * threads })));

describe('CPU samples', () => {
  it('keep their integral when the kernel charges late', () => {
    expect(cores([0.9, 0, 1.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0, 1.8].map((c) => sample(c)))).toEqual(
      Array<number>(10).fill(0.9),
    );
  });

  it('give what a stretch cannot hold to the one before', () => {
    const charged = [...Array<number>(5).fill(0.5), ...Array<number>(5).fill(1.3)];
    expect(cores(charged.map((c) => sample(c)))).toEqual(Array<number>(10).fill(0.9));
  });

  it('of a closing moment belong to the interval before', () => {
    const run = [
      ...Array<number>(5)
        .fill(0.8)
        .map((c) => sample(c)),
      sample(6.67, { ms: 1 }),
    ];
    expect(Math.max(...cores(run))).toBeLessThan(0.9);
  });

  it('follow a change of load', () => {
    const run = [...Array<number>(5).fill(0.2), ...Array<number>(5).fill(0.9)].map((c) => sample(c));
    expect(cores(run)).toEqual([...Array<number>(5).fill(0.2), ...Array<number>(5).fill(0.9)]);
  });

  it('stay zero where nothing was done', () => {
    const idle = Array.from({ length: 10 }, () => sample(0, { worked: false }));
    expect(
      cores([
        ...Array<number>(5)
          .fill(0.7)
          .map((c) => sample(c)),
        ...idle,
      ]).slice(5),
    ).toEqual(Array<number>(10).fill(0));
  });

  it('keep their sum, part by part', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const spread = spreadCpu(run);
        expect(spread).toHaveLength(run.length);
        for (const part of ['app', 'nic', 'kernel'] as const) {
          const wanted = total(
            run.map(({ cpu }) => cpu),
            part,
          );
          expect(Math.abs(total(spread, part) - wanted)).toBeLessThanOrEqual(1e-9 * wanted);
        }
      }),
    );
  });

  it('exceed what there is only where the sum does', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const most = run.reduce((sum, interval) => sum + interval.most, 0);
        const all = run.reduce((sum, { cpu }) => sum + used(cpu), 0);
        fc.pre(all <= most);
        for (const [i, cpu] of spreadCpu(run).entries())
          expect(used(cpu)).toBeLessThanOrEqual(run[i]!.most * (1 + 1e-6));
      }),
    );
  });

  it('are never zero for work that was done, unless nothing was charged at all', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        fc.pre(run.some(({ cpu }) => used(cpu) > 0));
        for (const [i, cpu] of spreadCpu(run).entries()) {
          if (run[i]!.worked) expect(used(cpu)).toBeGreaterThan(0);
        }
      }),
    );
  });
});
