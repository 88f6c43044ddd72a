import type { CurveView } from '@verbslab/labs';
import type { ReactElement } from 'react';
import { useXAxisScale, useYAxisScale } from 'recharts';
import { describe, expect, it } from 'vitest';
import type { SeriesView, TransportSample } from '../src/data/series-view.js';
import { CostChart, CpuChart, CurveChart, GoodputChart, LatencyChart, type LineLook } from '../src/index.js';
import { ValueLine } from '../src/marks/value-line.js';
import { XAxis, YAxis } from '../src/plot/axes.js';
import { usePlot } from '../src/plot/plot-context.js';
import { Plot } from '../src/plot/plot.js';
import { staticMarkup } from '../src/static/index.js';

// A plot of 500 by 200 pixels, from (100, 20).
const PLACE = { width: 620, height: 260, margin: { top: 20, right: 20, bottom: 40, left: 100 } };

const lookOf = (transport: string): LineLook => ({
  name: transport.toUpperCase(),
  line: `var(--${transport})`,
  ink: 'black',
  dash: transport === 'tcp' ? '6 3' : undefined,
});

const html = (chart: ReactElement): string => staticMarkup(chart);

/** Values of `attribute`, by the value of `of`, for all marks that have `of`. */
function marks(text: string, of: string, attribute = 'd'): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [tag] of text.matchAll(/<(?:path|line)[^>]*>/g)) {
    const value = (name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    const which = value(of);
    if (which !== undefined) found[which] = value(attribute) ?? '';
  }
  return found;
}

const words = (text: string): string[] =>
  [...text.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, word]) => word!);

const sample = (gbps: number, app = 0.5): TransportSample => ({
  ...{ gbps, messages: 1, measuredNs: 1 },
  cpu: { app, nic: 0.25, kernel: 0.25 },
});

/** Five seconds. RDMA has a hole at 2 s, and TCP ends before RDMA. */
const SERIES: SeriesView = {
  rows: [
    { t: 0, rdma: sample(10), tcp: sample(4) },
    { t: 1, rdma: sample(5), tcp: sample(2) },
    { t: 2 },
    { t: 3, rdma: sample(5), tcp: sample(4) },
    { t: 4, rdma: sample(0), tcp: sample(4) },
  ],
  transports: ['rdma', 'tcp'],
  holes: [],
  startUps: [{ transport: 'rdma', from: 0, to: 1 }],
  binSeconds: 1,
  domain: [0, 5],
};

describe('CPU seconds per GB', () => {
  const text = html(
    <CostChart
      label="CPU seconds per GB"
      rows={[
        { key: 'rdma', name: 'RDMA', cost: { app: 1, nic: 2, kernel: 0.5 } },
        { key: 'tcp', name: 'TCP', cost: { app: 0.5, nic: null, kernel: 3 } },
      ]}
      width={500}
      rowHeight={40}
      left={100}
    />,
  );

  it('stacks the parts of each row on one scale from zero', () => {
    const bars = [...text.matchAll(/<rect data-part="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)];
    // The axis ends at 4 s/GB: 100 pixels per second, and a pixel between two parts.
    expect(bars.map(([, part, ...place]) => [part, ...place.map(Number)])).toEqual([
      ['app', 100, 12, 99],
      ['app', 100, 52, 49],
      ['nic', 200, 12, 199],
      ['kernel', 400, 12, 49],
      ['kernel', 150, 52, 299],
    ]);
  });

  it('names its rows, and its axis from the first to the last figure', () => {
    expect(words(text)).toEqual(expect.arrayContaining(['RDMA', 'TCP', '0', '4']));
  });
});

describe('the axes', () => {
  it.each(['linear', 'log'] as const)('of recharts are those that other marks are drawn by: %s', (scale) => {
    const seen: number[][] = [];
    function Both() {
      const [x, y] = [useXAxisScale(), useYAxisScale()];
      const plot = usePlot();
      if (x && y)
        for (const value of [1, 7, 100])
          seen.push([Number(x(value)), Number(y(value)), plot.x(value), plot.y(value)]);
      return null;
    }
    const axis = { domain: [1, 100], scale } as const;
    html(
      <Plot
        label="Both"
        {...PLACE}
        x={axis}
        y={axis}
        rows={[
          { t: 1, v: 1 },
          { t: 100, v: 100 },
        ]}
      >
        <ValueLine of="v" color="black" dash={undefined} />
        <XAxis ticks={[1, 100]} title="x" />
        <YAxis ticks={[1, 100]} title="y" />
        <Both />
      </Plot>,
    );
    expect(seen.length).toBeGreaterThan(0);
    const last = seen.slice(-3);
    for (const [x, y, ownX, ownY] of last) {
      expect(x).toBeCloseTo(ownX!, 6);
      expect(y).toBeCloseTo(ownY!, 6);
    }
    expect(last.map(([x]) => Math.round(x!))).toEqual(scale === 'log' ? [100, 311, 600] : [100, 130, 600]);
  });

  it('have as many figures as there is room for', () => {
    const axis = { domain: [0, 10], scale: 'linear' } as const;
    const text = words(
      html(
        <Plot label="Many" {...PLACE} x={axis} y={axis} rows={[{ t: 0 }]}>
          <XAxis ticks={[0, 0.1, 0.2, 5, 10]} title="seconds" format={(v) => `${v} seconds`} />
          <YAxis ticks={[0, 10]} title="Gb/s" />
        </Plot>,
      ),
    );
    expect(text).toEqual(expect.arrayContaining(['0 seconds', '5 seconds', '10 seconds', 'seconds', 'Gb/s']));
    expect(text).not.toContain('0.1 seconds');
  });
});

describe('goodput over run time', () => {
  const text = html(
    <GoodputChart series={SERIES} domain={SERIES.domain} lookOf={lookOf} title="Gb/s" {...PLACE} />,
  );

  it('has a line per transport, with a gap where nothing was measured', () => {
    expect(marks(text, 'data-line')).toEqual({
      rdma: 'M100,20L200,120M400,120L500,220',
      tcp: 'M100,140L200,180M400,140L500,140',
    });
    expect(marks(text, 'data-line', 'stroke')).toEqual({ rdma: 'var(--rdma)', tcp: 'var(--tcp)' });
    expect(marks(text, 'data-line', 'stroke-dasharray').tcp).toBe('6 3');
  });

  it('names the lines, and shades the warm-up', () => {
    expect(words(text)).toEqual(expect.arrayContaining(['RDMA', 'TCP', 'warm-up', 'run time, s', 'Gb/s']));
    expect(marks(text, 'data-start-up')).toEqual({
      ground: 'M 100,20 h 100 v 200 h -100 Z',
      veils: 'M 100,20 h 100 v 200 h -100 Z',
    });
  });
});

it('a long sample is a hatched bar with its mean', () => {
  const hole = { transport: 'tcp', from: 2, to: 4, sample: sample(5) } as const;
  const text = html(
    <GoodputChart
      series={{ ...SERIES, holes: [hole] }}
      domain={SERIES.domain}
      lookOf={lookOf}
      title="Gb/s"
      {...PLACE}
    />,
  );
  expect(marks(text, 'data-hole')).toEqual({ tcp: 'M 300,20 h 200 v 200 h -200 Z' });
  const pattern = /<pattern id="([^"]*)"/.exec(text)![1];
  expect(marks(text, 'data-hole', 'fill')).toEqual({ tcp: `url(#${pattern})` });
  expect(text).toMatch(/<line[^>]* x1="300" y1="120" x2="500" y2="120"/);
  expect(words(text)).toContain('one sample of 2.00 s');
});

it('CPU is a stack of its parts', () => {
  const text = html(
    <CpuChart
      series={SERIES}
      domain={SERIES.domain}
      lookOf={lookOf}
      transport="rdma"
      label="CPU of RDMA"
      title="cores"
      ticks={[0, 0.5, 1]}
      {...PLACE}
    />,
  );
  const layers = marks(text, 'data-layer');
  expect(Object.keys(layers).sort()).toEqual(['rdma app', 'rdma kernel', 'rdma nic']);
  expect(layers['rdma app']).toMatch(/^M100,120L200,120L200,220L100,220ZM400,120/);
  expect(layers['rdma nic']).toMatch(/^M100,70L200,70L200,120L100,120ZM400,70/);
  expect(layers['rdma kernel']).toMatch(/^M100,20L200,20L200,70L100,70ZM400,20/);
});

it('latency is a step per bin, with the percentiles that enough samples allow', () => {
  const text = html(
    <LatencyChart
      label="Latency of RDMA"
      edges={[1, 10, 100]}
      curve={{
        ...{ transport: 'rdma', share: [0.25, 0.75], total: 200, min: 2, max: 90 },
        ...{ p50: 10, p99: 100, p999: null },
      }}
      look={lookOf('rdma')}
      ticks={[0, 50, 100]}
      title="% of requests"
      {...PLACE}
    />,
  );
  expect(text).toContain('d="M100,220L100,220L100,170L350,170L350,70L600,70L600,70L600,70L600,220"');
  expect(marks(text, 'data-percentile', 'x1')).toEqual({ p50: '350', p99: '600' });
  expect(words(text)).toEqual(expect.arrayContaining(['p50', 'p99']));
  expect(words(text)).not.toContain('p99.9');
});

describe('a curve of a lab', () => {
  const curve: CurveView = {
    ...{ name: 'cost', label: 'Cost' },
    x: { label: 'Size', unit: 'B', log: true, show: String },
    y: { label: 'Time', unit: 'µs', log: false, show: String },
    series: [
      {
        ...{ name: 't', label: 'First' },
        points: [
          { x: 1, y: 10, min: 5, max: 10 },
          { x: 10, y: null },
          { x: 100, y: 5 },
        ],
      },
      {
        ...{ name: 'a.b', label: 'Second' },
        points: [
          { x: 1, y: 0 },
          { x: 100, y: 5 },
        ],
      },
    ],
    table: { name: 'cost', label: 'Cost', columns: [], rows: [] },
  };
  const looks = curve.series.map(({ label }) => ({
    ...lookOf('rdma'),
    name: label,
    marker: 'square' as const,
    joined: true,
  }));
  const text = html(<CurveChart curve={curve} looks={looks} named={false} {...PLACE} />);

  it('has a gap at a hole, and none where only another series has a point', () => {
    expect(marks(text, 'data-line')).toEqual({ t: 'M100,20ZM600,120Z', 'a.b': 'M100,220L600,120' });
  });

  it('has a mark per value, and the range of repetitions', () => {
    expect(text.match(/data-point="t"/g)).toHaveLength(2);
    expect(text.match(/data-point="a.b"/g)).toHaveLength(2);
    expect(text).toContain('d="M98 120V20M95 120h6M95 20h6"');
  });

  it('names its series at their ends, one below the other', () => {
    const named = html(<CurveChart curve={curve} looks={looks} named {...PLACE} />);
    const places = [...named.matchAll(/<text data-name="[^"]*" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) =>
      Number(y),
    );
    expect(places).toHaveLength(2);
    expect(Math.abs(places[0]! - places[1]!)).toBeGreaterThanOrEqual(14);
  });
});
