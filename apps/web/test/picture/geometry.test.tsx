import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { QueueKind, Side } from '../../src/model/picture/state';
import {
  along,
  lineOf,
  TALL_BELOW,
  type Box,
  type HostPlace,
  type Line,
  type PictureShape,
  type PictureSize,
  type Point,
} from '../../src/parts/picture/geometry';
import { geometryOf, Picture } from '../../src/parts/picture/picture';
import { placedPackets } from '../../src/parts/picture/wire';
import { cut, widthOf, wrap } from '../../src/parts/picture/words';
import { FULL, packet, picture, STATES } from './states';

const WIDTHS = [320, 342, 659, 660, 710, 1140];
const SIZES: PictureSize[] = ['large', 'usual', 'low'];
const QUEUES: QueueKind[][] = [[], ['sq'], ['sq', 'cq'], ['sq', 'rq', 'cq']];

const shapes: PictureShape[] = WIDTHS.flatMap((width) =>
  SIZES.flatMap((size) =>
    QUEUES.flatMap((client) =>
      QUEUES.flatMap((server) =>
        ([null, 'client', 'server'] as const).map((compact) => ({
          ...{ width, size, compact },
          queues: { client, server },
        })),
      ),
    ),
  ),
);

const points = (line: Line): Point[] => Array.from({ length: 51 }, (_, i) => along(line, i / 50));
const inBox = ({ x, y }: Point, box: Box): boolean =>
  x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h;
const within = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.w <= outer.x + outer.w + 1 &&
  inner.y + inner.h <= outer.y + outer.h + 1;
const apart = (a: Box, b: Box): boolean =>
  a.x + a.w <= b.x + 0.01 || b.x + b.w <= a.x + 0.01 || a.y + a.h <= b.y + 0.01 || b.y + b.h <= a.y + 0.01;

const boxesOf = ({ program, library, queues, memory, kernel, device }: HostPlace): Record<string, Box> => ({
  ...{ program: program.box, library: library.box, queues },
  ...{ memory: memory.box, kernel: kernel.box, device: device.box },
});

const named = ({ width, size, compact, queues }: PictureShape): string =>
  `${width} ${size} ${compact} ${queues.client.join('+')} ${queues.server.join('+')}`;

describe('the geometry of the picture', () => {
  it('leads data through memory, device and wire, and through no queue', () => {
    for (const shape of shapes) {
      const { hosts, wire } = geometryOf(shape);
      for (const host of Object.values(hosts)) {
        const boxes = boxesOf(host);
        const rings = Object.values(host.rings).map(({ box }) => box);
        const data = points(lineOf(host, 'memory>device')!);
        for (const box of [boxes.program!, boxes.library!, boxes.queues!, boxes.kernel!, ...rings]) {
          expect(
            data.some((point) => inBox(point, box)),
            named(shape),
          ).toBe(false);
        }
        // The line begins at the ruler and ends where the wire begins.
        const { bar } = host.memory;
        expect(
          inBox(data[0]!, { x: bar.x - 1, y: bar.y - 1, w: bar.w + 2, h: bar.h + 2 }),
          named(shape),
        ).toBe(true);
        expect(data.at(-1)).toEqual(host.ports.data);
        expect(
          data.every((point) => inBox(point, grown(boxes.memory!)) || inBox(point, grown(boxes.device!))),
        ).toBe(true);
        expect(inBox(host.ports.data, grown(wire)), named(shape)).toBe(true);
      }
    }
  });

  it('draws only the declared queues, apart from each other and inside of their zone', () => {
    for (const shape of shapes) {
      const { hosts } = geometryOf(shape);
      for (const side of ['client', 'server'] as Side[]) {
        const { rings, queues } = hosts[side];
        expect(Object.keys(rings)).toEqual(shape.queues[side]);
        const all = Object.values(rings);
        for (const [i, ring] of all.entries()) {
          expect(ring.r, named(shape)).toBeGreaterThanOrEqual(13);
          expect(within(ring.box, queues), named(shape)).toBe(true);
          for (const other of all.slice(i + 1)) {
            expect(Math.hypot(ring.x - other.x, ring.y - other.y), named(shape)).toBeGreaterThan(
              2 * ring.r + 10,
            );
          }
        }
      }
    }
  });

  it('keeps the parts of a host apart and inside of it, and the host inside of the picture', () => {
    for (const shape of shapes) {
      const { hosts, width, height } = geometryOf(shape);
      for (const host of Object.values(hosts)) {
        expect(within(host.box, { x: 0, y: 0, w: width, h: height }), named(shape)).toBe(true);
        const boxes = Object.values(boxesOf(host));
        for (const [i, box] of boxes.entries()) {
          expect(within(box, host.box), named(shape)).toBe(true);
          for (const other of boxes.slice(i + 1)) expect(apart(box, other), named(shape)).toBe(true);
        }
        expect(within(host.memory.bar, host.memory.box), named(shape)).toBe(true);
      }
    }
  });

  it('stacks the hosts below 660 pixels, and has one height at all widths', () => {
    const heights = (tall: boolean) =>
      shapes
        .filter(
          ({ width, size, queues }) =>
            width < TALL_BELOW === tall &&
            size === 'usual' &&
            queues.client.length === 2 &&
            queues.server.length === 2,
        )
        .map((shape) => {
          const geometry = geometryOf(shape);
          expect(geometry.tall).toBe(tall);
          return geometry.height;
        });
    expect(new Set(heights(true)).size).toBe(1);
    expect(new Set(heights(false)).size).toBe(1);
  });

  it('keeps packets in order, apart and off the hosts', () => {
    for (const shape of shapes.filter(({ queues }) => queues.client.length === 2)) {
      const geometry = geometryOf(shape);
      const many = Array.from({ length: 9 }, (_, i) =>
        packet({ id: `packet ${i}`, label: 'Middle', psn: `+${i}`, crossed: 1 - i / 12 }),
      );
      const { places, hidden } = placedPackets(geometry, many);
      expect(places.length + hidden).toBe(9);
      expect(places.length, named(shape)).toBeGreaterThan(0);
      const boxes = places.map(({ x, y, w }) => ({ x: x - w / 2, y: y - 11, w, h: 22 }));
      for (const [i, box] of boxes.entries()) {
        expect(within(box, geometry.wire), named(shape)).toBe(true);
        for (const other of boxes.slice(i + 1)) expect(apart(box, other), named(shape)).toBe(true);
      }
    }
  });
});

const grown = ({ x, y, w, h }: Box): Box => ({ x: x - 1, y: y - 1, w: w + 2, h: h + 2 });

describe('the text of the picture', () => {
  it('is cut with an ellipsis, and never longer than its place', () => {
    expect(cut('reads memory', 200)).toBe('reads memory');
    const short = cut('writes WQE 1 into slot 0', 80);
    expect(short).toMatch(/^writes.*…$/);
    expect(widthOf(short)).toBeLessThanOrEqual(80);
    expect(cut('reads memory', 5)).toBe('');
    // Half a number would be another one.
    expect(cut('MR lkey, 20,000 B', 95, true)).toBe('MR lkey,…');
    expect(wrap(['reads memory,', 'sends 3 packets'], 70, 5)).toEqual([
      'reads',
      'memory,',
      'sends 3',
      'packets',
    ]);
    expect(wrap(['one two three four five six'], 60, 2).at(-1)).toMatch(/…$/);
  });

  /** Texts of the drawing with their boxes, and the straight parts of its lines. */
  function drawn(html: string) {
    const plain = html
      .replaceAll(/<title>.*?<\/title>/g, '')
      .replaceAll(/<g transform=.*?<\/g>/g, '')
      .replaceAll(/<g class="packet.*?<\/g>/g, '');
    const texts = [...plain.matchAll(/<text x="([\d.-]+)" y="([\d.]+)"([^>]*)>(.*?)<\/text>/g)].map(
      ([, left, y, attributes, inner]) => {
        const text = inner!
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll('&amp;', '&')
          .trim();
        const mono = attributes!.includes('mono');
        const scale = /class="[^"]*(title|figure)/.test(attributes!) ? 1.16 : 1;
        const w = widthOf(text, mono) * scale;
        const anchor = /text-anchor="(\w+)"/.exec(attributes!)?.[1];
        const x = Number(left) - (anchor === 'middle' ? w / 2 : anchor === 'end' ? w : 0);
        return { text, box: { x, y: Number(y) - 9, w, h: 11 } };
      },
    );
    const lines = [...plain.matchAll(/<path d="M([^"Aa]*?)" class="(?:track|control|payload)/g)].flatMap(
      ([, d]) => {
        const corners = d!.split('L').map((pair) => {
          const [x, y] = pair.split(' ').map(Number);
          return { x: x!, y: y! };
        });
        return corners.slice(1).map((to, i): Line => [corners[i]!, to]);
      },
    );
    return { texts: texts.filter(({ text }) => text !== ''), lines };
  }

  const cases = Object.entries(STATES).flatMap(([name, state]) =>
    [342, 660, 710, 1140].flatMap((width) => SIZES.map((size) => ({ name, state, width, size }))),
  );

  it.each(cases)('is crossed by no line: $name at $width, $size', ({ state, width, size }) => {
    const { texts, lines } = drawn(
      renderToStaticMarkup(<Picture state={state} label="" width={width} size={size} />),
    );
    expect(texts.length).toBeGreaterThan(10);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      const touched = texts.filter(({ box }) => points(line).some((point) => inBox(point, box)));
      expect(touched.map(({ text }) => text)).toEqual([]);
    }
  });

  it.each(cases)('does not overlap: $name at $width, $size', ({ state, width, size }) => {
    const { texts } = drawn(
      renderToStaticMarkup(<Picture state={state} label="" width={width} size={size} />),
    );
    for (const [i, one] of texts.entries()) {
      expect(one.box.x, one.text).toBeGreaterThanOrEqual(-2);
      expect(one.box.x + one.box.w, one.text).toBeLessThanOrEqual(width + 2);
      const over = texts.slice(i + 1).filter(({ box }) => !apart(one.box, box));
      expect(
        over.map(({ text }) => text),
        one.text,
      ).toEqual([]);
    }
  });

  it('counts the packets that have no room', () => {
    const crowd = Array.from({ length: 9 }, (_, i) => packet({ id: `p${i}`, crossed: 1 - i / 12 }));
    const html = renderToStaticMarkup(
      <Picture state={picture({}, {}, { packets: crowd })} label="" width={710} />,
    );
    const shown = html.match(/data-packet=/g)!.length;
    expect(html).toContain(`and ${9 - shown} more`);
  });

  it('says that a long queue is reduced, even where a note has little room', () => {
    for (const width of [342, 710, 1140]) {
      const html = renderToStaticMarkup(<Picture state={FULL} label="" width={width} size="usual" />);
      expect(html.replaceAll(/<[^>]*>/g, ' ')).toMatch(/as\s+32/);
    }
  });
});
