/** Window and delay, and incast: the arithmetic over small records, and over the recorded samples. */
import { noResults, type LabResults } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choices,
  incastModel,
  loadOf,
  postedBy,
  waitedOf,
  waitOf,
} from '../../src/explanations/incast/model';
import { layoutOf as incastLayout } from '../../src/explanations/incast/layout';
import { sampleOf } from '../../src/explanations/samples';
import { layoutOf } from '../../src/explanations/window/layout';
import { goodputAt, stateAt, windowModel } from '../../src/explanations/window/model';

const results = (part: Partial<LabResults>): LabResults => ({ ...noResults(), ...part });

describe('window and delay', () => {
  // 8 Gb/s over 10 µs: 10,000 B fill the path, ten messages of 1,000 B.
  const model = windowModel(
    { parameters: { size: 1000 } },
    results({
      figures: { link: { value: 8 } },
      tables: {
        paths: [{ delay: 5, rtt: 10, product: 10_000, needed: 10 }],
        points: [
          { delay: 5, window: 4, gbps: 3, min: 2 },
          { delay: 7, window: 8, gbps: 9, min: 9 },
        ],
      },
    }),
  )!;
  const path = model.paths[0]!;

  it('takes the smaller of link and window per round trip', () => {
    expect(path.needed).toBeCloseTo(10, 9);
    expect(stateAt(model, path, 4)).toEqual({
      ...{ gbps: 3.2, limit: 'window', inPath: 4, waiting: 0, latency: 10_000 },
      measured: { window: 4, gbps: 3, min: 2 },
    });
    expect(stateAt(model, path, 16)).toMatchObject({
      gbps: 8,
      limit: 'link',
      measured: null,
      latency: 16_000,
    });
    expect(stateAt(model, path, 16).waiting).toBeCloseTo(6, 9);
    // The axis goes to where the path is full, beyond what was measured.
    expect(path.largest).toBe(16);
  });

  it('never draws more in the path than it holds, and finds the window under each place again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 280, max: 1400 }), (window, width) => {
        const { inPath, waiting, gbps } = stateAt(model, path, window);
        expect(inPath + waiting).toBeCloseTo(window, 9);
        expect(inPath).toBeLessThanOrEqual(path.needed);
        expect(gbps).toBeLessThanOrEqual(model.link);
        expect(gbps).toBeLessThanOrEqual(goodputAt(model, path, window + 1));
        const { x, windowAt } = layoutOf(model, path, width);
        expect(windowAt(x(window))).toBe(window);
      }),
    );
  });

  it('computes what the lab computed in the recorded sample', async () => {
    const { record, results: found } = await sampleOf('window');
    const sample = windowModel(record, found)!;
    expect(sample.paths).toHaveLength(3);
    for (const row of found.tables.points!) {
      const at = sample.paths.find(({ delay }) => delay === row.delay)!;
      expect(goodputAt(sample, at, Number(row.window))).toBeCloseTo(Number(row.computed), 6);
    }
    expect(sample.paths.at(-1)!.product).toBeCloseTo(Number(found.figures.product!.value), 3);
  });

  it('has nothing to show of a run without a link', () => {
    expect(windowModel({ parameters: { size: 1000 } }, noResults())).toBeNull();
  });
});

describe('incast', () => {
  // Two clients with four messages of 1,000 B each, served at 8 Gb/s: 1 µs for each message.
  const load = { total: 8, p50: 4, p90: 7, overruns: 0 };
  const model = incastModel(
    { parameters: { size: 1000, window: 4 } },
    results({
      tables: {
        loads: [
          { clients: 0, total: null, mean: 2, p50: 2, p90: 3, overruns: 0 },
          { clients: 1, ...load, mean: 4 },
          { clients: 2, ...load, mean: 5 },
        ],
      },
    }),
  )!;

  it('computes the wait from what is ahead, and what the measured wait stands for', () => {
    const two = loadOf(model, 2);
    expect(postedBy(model, two)).toBe(8);
    expect(waitOf(model, two, 8)).toBeCloseTo(8, 9);
    expect(waitedOf(model, two)).toEqual({ mean: 3, p50: 2, p90: 5, ahead: 3 });
    expect(choices(model).map(({ clients }) => clients)).toEqual([1, 2]);
    expect(loadOf(model, 7).clients).toBe(2);
    expect(loadOf(model, 0).clients).toBe(1);
  });

  it('finds the place of a request under each point of the queue again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 280, max: 1400 }), (ahead, width) => {
        const { x, aheadAt, queue } = incastLayout(model, loadOf(model, 2), width);
        expect(aheadAt(x(ahead))).toBe(ahead);
        expect(x(ahead)).toBeGreaterThanOrEqual(queue.x);
        expect(x(ahead)).toBeLessThanOrEqual(queue.x + queue.w);
      }),
    );
  });

  it('waits behind all that is posted as long as the lab computed in the recorded sample', async () => {
    const { record, results: found } = await sampleOf('incast');
    const sample = incastModel(record, found)!;
    const most = loadOf(sample, Infinity);
    expect(waitOf(sample, most, postedBy(sample, most))).toBeCloseTo(Number(found.figures.waiting!.value), 3);
  });

  it('has nothing to show of a run without clients', () => {
    expect(incastModel({ parameters: { size: 1, window: 1 } }, noResults())).toBeNull();
  });
});
