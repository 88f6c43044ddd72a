import { AppError, MAX_SWEEP_RUNS, type Measurement, type SweepPlan } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { seeded } from '../src/base/random.js';
import { readSweep, repetitionsForKnee, sweepCurves, sweepGrid } from '../src/index.js';

const properties = {
  size: { type: 'integer', minimum: 64, maximum: 1024 * 1024, unit: 'B' },
  depth: { type: 'integer', minimum: 1, maximum: 4096 },
  rate: { type: 'number', minimum: 0, maximum: 1 },
  mode: { type: 'string', enum: ['poll', 'event'] },
  fast: { type: 'boolean' },
};

const read = (text: string) => readSweep('bulk', text, properties);

describe('a sweep expression', () => {
  it.each([
    ['size=4KiB..64KiB*4', 'log', [4096, 16384, 65536]],
    ['depth=1..9+2', 'linear', [1, 3, 5, 7, 9]],
    ['depth=1..10*3', 'log', [1, 3, 9]],
    ['rate=0..0.3+0.1', 'linear', [0, 0.1, 0.2, 0.3]],
    ['depth=1, 16,64', 'list', [1, 16, 64]],
    ['mode=event,poll', 'list', ['event', 'poll']],
    ['fast=true,false', 'list', [true, false]],
  ])('reads %s', (text, scale, values) => {
    const found = read(text);
    expect(found.scale).toBe(scale);
    expect(found.values.map((one) => (typeof one === 'number' ? Number(one.toFixed(9)) : one))).toEqual(
      values,
    );
  });

  it.each([
    ['depth', 'USAGE', '“depth” does not name a parameter'],
    ['deep=1,2', 'UNKNOWN_PARAM', 'deep'],
    ['depth=1,x', 'BAD_PARAM', '“x” in “1,x” is not a number'],
    ['depth=0..8*2', 'BAD_PARAM', '“0” in “0..8*2” is out of range'],
    ['depth=1..5000*2', 'BAD_PARAM', '“5000” in “1..5000*2” is out of range'],
    ['depth=8..1*2', 'BAD_PARAM', '“8..1” starts above its end'],
    ['depth=1..8', 'BAD_PARAM', '“1..8” has no factor or step'],
    ['depth=1..8*1', 'BAD_PARAM', '“*1” needs a factor above 1'],
    ['depth=1..8+0', 'BAD_PARAM', '“+0” needs a step above 0'],
    ['depth=1..8*y', 'BAD_PARAM', '“y” in “1..8*y” is not a number'],
    ['depth=1.5', 'BAD_PARAM', '“1.5” in “1.5” is not a whole number'],
    ['depth=2,2', 'BAD_PARAM', '“2” occurs twice'],
    ['mode=poll,sleep', 'BAD_PARAM', '“sleep” in “poll,sleep” is not one of its values'],
    ['fast=yes', 'BAD_PARAM', '“yes” in “yes” is not true or false'],
    ['depth=1..4096+1', 'LIMIT', 'Too many values of “depth”'],
  ])('refuses %s and names the part', (text, code, part) => {
    let error: unknown;
    try {
      read(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).info.code).toBe(code);
    expect((error as AppError).message).toContain(part);
  });

  it('says the range of the parameter', () => {
    expect(() => read('size=1,2')).toThrow(
      expect.objectContaining({
        info: expect.objectContaining({
          cure: expect.stringContaining('from 64 B to 1 MiB') as unknown,
        }) as object,
      }) as Error,
    );
  });

  it.each(['depth=1..64+0.000000001', 'rate=1..1+1e-300', 'rate=0.5..1+1e-30', 'depth=1..64*1.0000000001'])(
    'comes to an end with a step that leads nowhere: %s',
    (text) => {
      expect(() => read(text)).toThrow(/too small a step|Too many values|not a number/);
    },
  );

  it('gives growing values within the range, whatever the numbers are', () => {
    const random = seeded(20260);
    const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
    for (let round = 0; round < 500; round++) {
      const from = between(1, 4096);
      const to = between(from, 4096);
      const by = round % 2 === 0 ? `*${between(2, 9)}` : `+${between(9, 400)}`;
      const values = read(`depth=${from}..${to}${by}`).values as number[];
      expect(values[0]).toBe(from);
      expect(values.at(-1)).toBeLessThanOrEqual(to);
      expect(values.every((one, index) => index === 0 || one > values[index - 1]!)).toBe(true);
      expect(values.length).toBeLessThanOrEqual(MAX_SWEEP_RUNS);
      const step = Number(by.slice(1));
      const beyond = by.startsWith('*') ? values.at(-1)! * step : values.at(-1)! + step;
      expect(beyond).toBeGreaterThan(to);
    }
  });

  it('makes a grid, the last parameter changing fastest', () => {
    expect(sweepGrid([read('depth=1,2'), read('mode=poll,event')])).toEqual([
      { depth: 1, mode: 'poll' },
      { depth: 1, mode: 'event' },
      { depth: 2, mode: 'poll' },
      { depth: 2, mode: 'event' },
    ]);
  });
});

describe('the curves of a sweep', () => {
  const plan: SweepPlan = {
    lab: 'bulk',
    params: {},
    axes: [{ param: 'depth', scale: 'log' }],
    points: [1, 2, 4, 8].map((depth) => ({ depth })),
    repeat: 3,
  };
  const measured = (point: number, goodput: number, state: Measurement['state'] = 'done'): Measurement => ({
    position: 0,
    point,
    round: 0,
    runId: null,
    state,
    figures: { 'rdma.goodput': goodput, 'rdma.p99': 100 / goodput },
    seconds: 1,
    error: null,
  });

  it('have medians, spreads and the knee of rates, without points that failed', () => {
    const [goodput, p99] = sweepCurves(
      plan,
      [
        ...[1, 3, 2, 2, 2].map((value) => measured(0, value)),
        ...Array.from({ length: 5 }, () => measured(1, 9.1)),
        measured(2, 99, 'failed'),
        ...Array.from({ length: 5 }, () => measured(2, 10)),
      ],
      undefined,
    );
    expect(goodput!.points).toEqual([
      { value: 2, min: 1, max: 3, n: 5 },
      { value: 9.1, min: 9.1, max: 9.1, n: 5 },
      { value: 10, min: 10, max: 10, n: 5 },
      null,
    ]);
    expect([goodput!.label, goodput!.unit, goodput!.knee]).toEqual(['RDMA goodput', 'Gb/s', 1]);
    expect(p99!.knee).toBeNull();
  });

  it('have no knee with fewer than three points', () => {
    const [goodput] = sweepCurves(plan, [measured(0, 1), measured(1, 2)], undefined);
    expect(goodput!.knee).toBeNull();
  });

  it('have no knee with too few repetitions for a verdict, or where the curve falls clearly in between', () => {
    const kneeOf = (...values: [point: number, value: number][]) =>
      sweepCurves(
        plan,
        values.map(([point, value]) => measured(point, value)),
        undefined,
      )[0]!.knee;
    const times = (n: number, ...values: number[]) =>
      values.flatMap((value, point) => Array.from({ length: n }, (): [number, number] => [point, value]));
    // Three verdicts: the curve may rise to any of three values.
    expect(repetitionsForKnee(plan, 1)).toBe(5);
    expect(kneeOf(...times(5, 1, 9.1, 10))).toBe(1);
    expect(kneeOf(...times(4, 1, 9.1, 10))).toBeNull();
    expect(kneeOf(...times(5, 4, 1, 10, 9.5))).toBeNull();
  });

  it.each([
    ['rises up to its last value', [1, 5, 10]],
    ['falls from its first value', [10, 5, 1]],
  ])('have no knee where the curve %s', (_, values) => {
    const [goodput] = sweepCurves(
      plan,
      values.flatMap((value, point) => Array.from({ length: 5 }, () => measured(point, value))),
      undefined,
    );
    expect(goodput!.knee).toBeNull();
  });
});
