/** Words in charts have room, however narrow the chart is. */
import type { LatencyCurve } from '@verbslab/charts/data';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PlotTitle } from '../src/parts/charts/axes';
import { LatencyKey } from '../src/parts/charts/latency-key';
import { LineName, StretchNames } from '../src/parts/charts/layers';
import { PlotPlace } from '../src/parts/charts/plot-context';
import { plain } from './panels/case';

/** In a plot of ten seconds and this width. */
const draw = (width: number, content: ReactNode): string =>
  renderToStaticMarkup(
    <PlotPlace
      value={{
        area: { x: 52, y: 24, width, height: 200 },
        x: (s) => 52 + (s * width) / 10,
        y: (v) => 224 - v,
      }}
    >
      {content}
    </PlotPlace>,
  );
const texts = (html: string): string[] => [...html.matchAll(/<text.*?<\/text>/gs)].map(([text]) => text);

describe('names above the stretches of a chart', () => {
  const list = [
    { transport: 'rdma', from: 0, to: 1.5 },
    { transport: 'tcp', from: 2, to: 3.5 },
    { transport: 'rdma', from: 4, to: 5.5 },
    { transport: 'shm', from: 6, to: 9.9 },
  ] as const;

  it('stand above each that has room', () => {
    const names = texts(draw(600, <StretchNames list={list} />));
    expect(names.map(plain)).toEqual(['RDMA', 'TCP', 'RDMA', 'RDMA/shm']);
    expect(names.join()).not.toContain('rotate');
  });

  it('stand upright, once, for a transport that has room above none', () => {
    const names = texts(draw(160, <StretchNames list={list} />));
    expect(names.map((name) => [plain(name), name.includes('rotate(-90)')])).toEqual([
      ['RDMA', true],
      ['TCP', false],
      ['RDMA/shm', false],
    ]);
  });

  it('are left out where not even that has room', () => {
    expect(texts(draw(40, <StretchNames list={list} />)).map(plain)).toEqual(['RDMA/shm']);
  });
});

describe('the name of a line', () => {
  const name = (x: number) => texts(draw(300, <LineName transport="shm" x={x} y={50} />))[0]!;

  it('stands beside its end, and above it where that is at the edge of the chart', () => {
    expect(name(5)).toMatch(/x="208" y="178" text-anchor="start"/);
    expect(name(10)).toMatch(/x="392" y="166" text-anchor="end"/);
  });
});

describe('the title of an axis', () => {
  const title = (words: string) => texts(draw(260, <PlotTitle words={words} />))[0]!;

  it('ends with the figures below it, unless it is longer than they are', () => {
    expect(title('Gb/s')).toMatch(/x="44".*text-anchor="end"/);
    expect(title('CPU seconds per GB')).toMatch(/x="30".*text-anchor="start"/);
  });
});

describe('the key of a latency histogram', () => {
  const curve: LatencyCurve = {
    ...{ transport: 'tcp', share: [], total: 1500, min: 1e5, max: 7e6 },
    ...{ p50: 379_000, p99: 2_950_000, p999: null },
  };
  const key = (one: LatencyCurve) => renderToStaticMarkup(<LatencyKey curve={one} name="TCP" ink="black" />);

  it('stands outside of the plot: what is counted, and each percentile with its line', () => {
    const html = key({ ...curve, p999: 5_490_000 });
    expect(plain(html)).toMatch(/% of TCP messages \(n = 1,500\).*p50 379 µs.*p99 2\.95 ms.*p99\.9 5\.49 ms/);
    expect(html.match(/<path/g)).toHaveLength(3);
  });

  it('names the transport where several count alike', () => {
    const html = renderToStaticMarkup(
      <LatencyKey curve={{ ...curve, transport: 'shm' }} name="RDMA/shm" ink="black" />,
    );
    expect(plain(html)).toMatch(/^% of RDMA\/shm requests \(n = 1,500\)/);
  });

  it('has no line for a percentile that is withheld', () => {
    const html = key(curve);
    expect(plain(html)).toContain('p99.9 needs n ≥ 10,000');
    expect(html.match(/<path/g)).toHaveLength(2);
  });
});
