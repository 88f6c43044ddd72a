import {
  axisTicks,
  drawOrder,
  logTicks,
  markerPath,
  seriesLooks,
  steadyDomain,
  tickOf,
  timeTicks,
  yScale,
} from '@verbslab/charts/data';
import { describe, expect, it } from 'vitest';
import { nearestRow, rowsWithValues } from '../src/parts/charts/crosshair';

describe('the axes of a chart', () => {
  it('have room for one core of CPU at least', () => {
    expect(axisTicks([0.0012], 4, 1).at(-1)).toBe(1);
    expect(axisTicks([1.3], 4, 1).at(-1)).toBe(1.5);
    expect(axisTicks([], 4, 1).at(-1)).toBe(1);
  });

  it('end above the largest value', () => {
    for (const top of [1e-9, 0.003, 0.7, 1, 9.99, 10, 10.01, 4711, 123e9])
      expect(axisTicks([top]).at(-1)).toBeGreaterThanOrEqual(top * 0.9999);
  });

  it('have about six round seconds, and 1, 2 and 5 of a decade', () => {
    expect(timeTicks([0, 5])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(timeTicks([0.3, 7.1])).toEqual([2, 4, 6]);
    expect(logTicks([900, 11_000])).toEqual([1000, 3000, 10_000]);
    expect(logTicks([1000, 9000])).toEqual([1000, 2000, 5000]);
    expect(logTicks([1, 1e6])).toEqual([1, 10, 100, 1000, 1e4, 1e5, 1e6]);
  });

  it('say a tick without the zeros of a measured value', () => {
    const tick = tickOf((v) => `${v.toFixed(4)} ms`);
    expect([0.01, 0.3, 1, 100, 12.5].map(tick)).toEqual(['0.01 ms', '0.3 ms', '1 ms', '100 ms', '12.5 ms']);
    expect(tickOf(String)(1000)).toBe('1000');
  });

  it('grow rarely during a run, and fit at its end', () => {
    expect(steadyDomain([0, 3.2], true)).toEqual([0, 5]);
    expect(steadyDomain([0, 4.9], true)).toEqual([0, 5]);
    expect(steadyDomain([1, 6.1], true)).toEqual([1, 11]);
    expect(steadyDomain([0, 4000], true)).toEqual([0, 7200]);
    expect(steadyDomain([0, 3.2], false)).toEqual([0, 3.2]);
  });
});

describe('a log axis', () => {
  const ticksOf = (...values: number[]): number[] =>
    yScale({
      y: { label: 'Time', unit: 'µs', log: true, show: String },
      series: [{ name: 'one', label: 'One', points: values.map((y, x) => ({ x, y })) }],
    }).ticks;

  it('has three figures at least, also where the values are close', () => {
    for (const values of [
      [11, 28],
      [13, 18],
      [0.0021, 0.0029],
      [1000, 1100],
      [40, 1e6],
    ])
      expect(ticksOf(...values).length, String(values)).toBeGreaterThanOrEqual(3);
    expect(ticksOf(1, 100)).toEqual([1, 3, 10, 30, 100]);
  });
});

describe('the looks of series', () => {
  const key = ({ color, dash, marker }: ReturnType<typeof seriesLooks>[number]): string =>
    `${color} ${dash} ${marker}`;
  const named = (name: string) => ({ name });
  const names = (count: number) => Array.from({ length: count }, (_, i) => named(`way-${i}`));

  it('differ in more than the color, also beyond four', () => {
    const looks = seriesLooks(names(16));
    expect(new Set(looks.map(key)).size).toBe(16);
    for (const [i, one] of looks.entries())
      for (const other of looks.slice(i + 1))
        if (one.color === other.color) expect([one.dash, one.marker]).not.toEqual([other.dash, other.marker]);
    const [first, fifth] = [looks[0]!, looks[4]!];
    expect(fifth.color).toBe(first.color);
    expect([fifth.dash, fifth.marker]).not.toContain(first.marker);
    expect(fifth.dash).not.toBe(first.dash);
  });

  it('are those of the series that one is like, with another marker', () => {
    const looks = seriesLooks([
      { name: 'a', drawn: 'line' },
      { name: 'a-seen', like: 'a', drawn: 'points' },
      { name: 'a-counted', like: 'a', drawn: 'points' },
      { name: 'b', drawn: 'line' },
      { name: 'b-seen', like: 'b', drawn: 'points' },
    ]);
    const marks = looks.map(({ color, marker, joined }) => [color, marker, joined]);
    expect(marks).toEqual([
      ['series-1', null, true],
      ['series-1', 'circle', false],
      ['series-1', 'square', false],
      ['series-2', null, true],
      ['series-2', 'circle', false],
    ]);
  });

  it('keep the colors of transports, and no other gray beside UDP', () => {
    const looks = seriesLooks(['udp', 'tcp', 'send', 'write', 'send-shm', 'write-shm'].map(named));
    expect(looks.map(({ color }) => color)).toEqual([
      'udp',
      'tcp',
      'series-1',
      'series-2',
      'series-4',
      'series-1',
    ]);
    expect(new Set(looks.map(key)).size).toBe(6);
  });

  it('are drawn with the widest gaps last, so that no line hides another', () => {
    expect(drawOrder(['2 3', '6 3', undefined, '10 3', undefined])).toEqual([2, 4, 3, 1, 0]);
  });

  it('have closed markers around their point', () => {
    expect(markerPath('square', 10, 20, 2)).toBe('M8.0 18.0L12.0 18.0L12.0 22.0L8.0 22.0z');
    for (const marker of ['circle', 'triangle', 'diamond'] as const)
      expect(markerPath(marker, 10, 20, 2)).toMatch(/^M.*z$/);
  });
});

describe('the crosshair', () => {
  it('finds the nearest row', () => {
    const rows = [{ t: 0 }, { t: 1 }, { t: 4 }, { t: 10 }];
    const found = [-5, 0.4, 0.6, 2.4, 2.6, 6.9, 7.1, 99].map((t) => nearestRow(rows, 't', t));
    expect(found).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    expect(nearestRow([{ t: 3 }], 't', 0)).toBe(0);
    expect(nearestRow([], 't', 0)).toBe(-1);
  });

  it('stops only where there is something to show', () => {
    const lines = [{ key: 'rdma', name: 'RDMA', color: 'blue' }];
    const rows = [{ t: 0 }, { t: 1, rdma: 5 }, { t: 2, tcp: 3 }, { t: 3, rdma: 0 }];
    expect(rowsWithValues(rows, lines).map(({ t }) => t)).toEqual([1, 3]);
  });
});
