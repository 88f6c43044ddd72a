import { Area } from 'recharts';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { stepRows } from '../src/charts/latency-chart.js';
import { ValueLine } from '../src/marks/value-line.js';
import { XAxis, YAxis } from '../src/plot/axes.js';
import { layerOf } from '../src/plot/columns.js';
import { Plot, type PlotRow } from '../src/plot/plot.js';
import { staticMarkup } from '../src/static/index.js';

/** The paths of a plot with ten pixels per x and one pixel per value from 0 to 100. */
function paths(rows: readonly PlotRow[], marks: ReactNode): string[] {
  const html = staticMarkup(
    <Plot
      label="Lines"
      width={100}
      height={100}
      margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
      x={{ domain: [0, 10], scale: 'linear' }}
      y={{ domain: [0, 100], scale: 'linear' }}
      rows={rows}
    >
      <XAxis ticks={[]} />
      <YAxis ticks={[]} />
      {marks}
    </Plot>,
  );
  return [...html.matchAll(/<path[^>]* class="recharts-curve [^>]* d="([^"]*)"/g)].map(([, d]) => d!);
}

describe('lines of a chart', () => {
  const line = (rows: readonly PlotRow[]) => paths(rows, <ValueLine of="a" color="black" dash={undefined} />);

  it('go through the values and leave a gap where one is missing', () => {
    const rows = [{ t: 0, a: 1 }, { t: 1, a: 2 }, { t: 2 }, { t: 3, a: 4 }, { t: 4, a: 5 }];
    expect(line(rows)).toEqual(['M0,99L10,98M30,96L40,95']);
    expect(line([])).toEqual([]);
  });

  it('stack a layer on those below it', () => {
    const rows = [
      { t: 0, a: 1, b: 2 },
      { t: 1, a: 3, b: 4 },
    ];
    const layer = (below: string[], key: string) =>
      paths(
        rows,
        <Area dataKey={layerOf(below, key)} stroke="none" type="linear" isAnimationActive={false} />,
      );
    expect(layer([], 'a')).toEqual(['M0,99L10,97L10,100L0,100Z']);
    expect(layer(['a'], 'b')).toEqual(['M0,97L10,93L10,97L0,99Z']);
  });

  it('draw a histogram bin by bin, down to zero at both ends', () => {
    const rows = stepRows([1, 2, 4], (bin) => ({ a: [5, 7][bin]! }));
    expect(paths(rows, <ValueLine of="a" color="black" dash={undefined} type="stepAfter" />)).toEqual([
      'M10,100L10,100L10,95L20,95L20,93L40,93L40,93L40,93L40,100',
    ]);
  });
});
