import { describe, expect, it } from 'vitest';
import { fitting } from '../src/run/model/chart-fit';
import { axisTicks } from '../src/run/model/chart-rows';
import { RunModel } from '../src/run/model/run-model';
import type { SeriesView } from '../src/run/model/series-view';
import { record } from './stream';

const series = (end: number): SeriesView => ({
  rows: [],
  transports: [],
  holes: [],
  startUps: [],
  domain: [0, end],
});

describe('a curve and its axes', () => {
  it('belong together: a curve that outgrows its axes waits until they have grown', () => {
    const model = new RunModel(record());
    let room = 5;
    const draw = (latest: SeriesView) => fitting(model, 'goodput', latest, ({ domain }) => domain[1] <= room);
    const [small, large] = [series(4), series(6)];
    expect(draw(small)).toBe(small);
    expect(draw(large)).toBe(small);
    room = 10;
    expect(draw(large)).toBe(large);
  });

  it('are kept apart by chart and run', () => {
    const model = new RunModel(record());
    const first = series(1);
    fitting(model, 'cpu', first, () => true);
    const other = series(2);
    expect(fitting(model, 'goodput', other, () => false)).toBe(other);
    expect(fitting(new RunModel(record()), 'cpu', other, () => false)).toBe(other);
    expect(fitting(model, 'cpu', other, () => false)).toBe(first);
  });

  it('have room for one core of CPU at least', () => {
    expect(axisTicks([0.0012], 4, 1).at(-1)).toBe(1);
    expect(axisTicks([1.3], 4, 1).at(-1)).toBe(1.5);
    expect(axisTicks([], 4, 1).at(-1)).toBe(1);
  });
});
