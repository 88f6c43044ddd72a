/** Words in charts have room, however narrow the chart is. */
import { TRANSPORT_NAME, type Transport } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import type { LineLook } from '../src/index.js';
import { LineName, StretchNames } from '../src/marks/names.js';
import { YAxis } from '../src/plot/axes.js';
import { Plot } from '../src/plot/plot.js';
import { staticMarkup } from '../src/static/index.js';

/** The words in a plot of ten seconds and this width. */
const draw = (width: number, content: ReactNode): string[] =>
  [
    ...staticMarkup(
      <Plot
        label="Words"
        width={52 + width + 44}
        height={260}
        margin={{ top: 24, right: 44, bottom: 36, left: 52 }}
        x={{ domain: [0, 10], scale: 'linear' }}
        y={{ domain: [0, 200], scale: 'linear' }}
        rows={[{ t: 0 }]}
      >
        {content}
      </Plot>,
    ).matchAll(/<text.*?<\/text>/gs),
  ].map(([text]) => text);

const plain = (html: string): string => html.replace(/<[^>]+>/g, '');

const lookOf = (transport: Transport): LineLook => ({
  ...{ name: TRANSPORT_NAME[transport], line: 'black', ink: 'black', dash: undefined },
});

describe('names above the stretches of a chart', () => {
  const list = [
    { transport: 'rdma', from: 0, to: 1.5 },
    { transport: 'tcp', from: 2, to: 3.5 },
    { transport: 'rdma', from: 4, to: 5.5 },
    { transport: 'shm', from: 6, to: 9.9 },
  ] as const;
  const names = (width: number) => draw(width, <StretchNames list={list} lookOf={lookOf} />);

  it('stand above each that has room', () => {
    expect(names(600).map(plain)).toEqual(['RDMA', 'TCP', 'RDMA', 'RDMA/shm']);
    expect(names(600).join()).not.toContain('rotate');
  });

  it('stand upright, once, for a transport that has room above none', () => {
    expect(names(160).map((name) => [plain(name), name.includes('rotate(-90)')])).toEqual([
      ['RDMA', true],
      ['TCP', false],
      ['RDMA/shm', false],
    ]);
  });

  it('are left out where not even that has room', () => {
    expect(names(40).map(plain)).toEqual(['RDMA/shm']);
  });
});

describe('the name of a line', () => {
  const name = (t: number) => draw(300, <LineName look={lookOf('shm')} t={t} value={50} />)[0]!;

  it('stands beside its end, and above it where that is at the edge of the chart', () => {
    expect(name(5)).toMatch(/x="208" y="178" text-anchor="start"/);
    expect(name(10)).toMatch(/x="392" y="166" text-anchor="end"/);
  });
});

describe('the title of an axis', () => {
  const title = (words: string) => draw(260, <YAxis ticks={[]} title={words} />)[0]!;

  it('ends with the figures below it, unless it is longer than they are', () => {
    expect(title('Gb/s')).toMatch(/x="44".*text-anchor="end"/);
    expect(title('CPU seconds per GB')).toMatch(/x="30".*text-anchor="start"/);
  });
});
