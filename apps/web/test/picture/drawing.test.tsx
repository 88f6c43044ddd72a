import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { PictureState } from '../../src/model/picture/state';
import { queuesOf } from '../../src/parts/picture/geometry';
import { geometryOf, Picture, type PictureProps } from '../../src/parts/picture/picture';
import { PictureKey } from '../../src/parts/picture/picture-key';
import { drawnSlots } from '../../src/parts/picture/ring';
import { widthOf } from '../../src/parts/picture/words';
import { BEYOND, FULL, LOST, picture, POSTED, region, ring, UNKNOWN, WRITE } from './states';

const draw = (state: PictureState, more: Partial<PictureProps> = {}): string =>
  renderToStaticMarkup(<Picture state={state} label="One WRITE" width={1140} {...more} />);

/** What is in the element with this attribute, as markup. */
const part = (html: string, attribute: string): string => {
  const begin = html.indexOf(attribute);
  expect(begin, attribute).toBeGreaterThan(-1);
  let depth = 1;
  const tags = /<(\/?)g\b[^>]*?(\/?)>/g;
  tags.lastIndex = html.indexOf('>', begin);
  for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
    if (tag[2] !== '/') depth += tag[1] === '/' ? -1 : 1;
    if (depth === 0) return html.slice(html.lastIndexOf('<', begin), tag.index);
  }
  return html.slice(begin);
};
const text = (html: string): string =>
  html
    .replaceAll(/<title>.*?<\/title>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const slots = (html: string, name: string): string[] =>
  [...part(html, `data-ring="${name}"`).matchAll(/data-slot="(\w+)"/g)].map(([, slot]) => slot!);

describe('a WRITE in the picture', () => {
  it('is an image with a sentence, in which those who work are lit', () => {
    const html = draw(WRITE);
    expect(html).toMatch(/^<svg role="img" aria-label="One WRITE"/);
    expect(html).toContain('data-host="client" data-lit="device"');
    expect([...html.matchAll(/data-works="(\w+)"/g)].map(([, owner]) => owner)).toEqual(['device', 'device']);
    expect(text(part(html, 'data-host="server"'))).toContain('Kernel not on the path');
  });

  it('has its request in a slot, its bytes in memory and its packets on the wire', () => {
    const html = draw(WRITE);
    expect(slots(html, 'client.sq')).toEqual(['used', ...Array<string>(15).fill('free')]);
    expect(part(html, 'data-memory="server"')).toContain('data-filled="0 4096"');
    expect([...html.matchAll(/data-packet="(\w+)" data-kind="(\w+)"/g)].map(([, id]) => id)).toEqual([
      'First',
      'Middle',
      'Last',
    ]);
    expect(text(html)).toContain('4,096 + 4,096 + 1,808 B');
    expect(html).toContain('data-flow="client memory&gt;device"');
  });

  it('moves the item of a flow along its line', () => {
    const at = (moved: number) =>
      /translate\([^)]*\)" data-item/.exec(draw({ ...POSTED, flows: [{ ...POSTED.flows[0]!, moved }] }))?.[0];
    expect(at(0)).toBeDefined();
    expect(at(0)).not.toBe(at(0.5));
    expect(text(draw(POSTED))).toContain('doorbell');
    expect(text(draw(POSTED, { width: 342 }))).toContain('doorbell');
  });

  it('leaves the names of the rings free, however narrow the hosts are', () => {
    for (const width of [660, 700, 760, 800, 900, 1140])
      for (const moved of [0, 0.3, 0.6, 0.9]) {
        const flow = { ...POSTED.flows[0]!, moved };
        const item = part(draw({ ...POSTED, flows: [flow] }, { width }), 'data-item="WQE 1"');
        const left = Number(/translate\(([\d.]+) /.exec(item)![1]);
        const right = left + Number(/<rect[^>]*width="(\d+)"/.exec(item)![1]);
        const geometry = geometryOf({ width, size: 'usual', compact: null, queues: queuesOf(POSTED) });
        for (const [kind, { label }] of Object.entries(geometry.hosts.client.rings)) {
          const begin = label.x - widthOf(kind.toUpperCase());
          expect(right <= begin || left >= label.x, `${kind} at ${width}`).toBe(true);
        }
      }
  });

  it('draws what is not in focus quietly', () => {
    const html = draw(WRITE);
    expect(part(html, 'data-ring="client.sq"')).not.toContain('class="quiet"');
    expect(part(html, 'data-ring="client.rq"')).toContain('class="quiet"');
    expect(draw({ ...WRITE, focus: null })).not.toContain('class="quiet"');
  });

  it('has the same content where the hosts are above each other', () => {
    const wide = draw(WRITE);
    const tall = draw(WRITE, { width: 342 });
    expect(tall).toContain('data-shape="tall"');
    for (const html of [wide, tall]) {
      expect(slots(html, 'client.sq')[0]).toBe('used');
      expect(text(html)).toContain('RETH: +0, 10,000 B');
      expect(text(html)).toContain('QP 0x1ea1');
    }
    expect(text(tall)).toContain('Middle +1');
  });

  it('asks at the first part in focus, or about what is on its way', () => {
    expect(draw(BEYOND, { asks: true })).toContain('data-question');
    expect(draw(BEYOND)).not.toContain('data-question');
    expect(text(draw(POSTED, { asks: true }))).toContain('WQE 1 ?');
    expect(draw(POSTED, { asks: true })).not.toContain('data-question');
  });
});

describe('a range beyond the region', () => {
  it('is hatched in red where it sticks out, and says that it is drawn larger', () => {
    const html = part(draw(BEYOND), 'data-memory="server"');
    expect(html).toContain('data-overshoot');
    expect(html).toContain('data-touched="32 10032"');
    expect(text(html)).toContain('overshoot drawn larger');
    expect(text(html)).toContain('32 B beyond');
    expect(text(draw(BEYOND))).toContain('ERR');
  });

  it('can begin before the region, and lie outside of it altogether', () => {
    const at = (from: number, to: number) =>
      draw(picture({ memory: region({ touched: { from, to, text: 'sge', refused: true } }) }));
    const places = (html: string) =>
      [...html.matchAll(/data-overshoot="true" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(
        ([, x, w]) => [Number(x), Number(w)] as const,
      );
    const [before] = places(at(-100, 50));
    const [behind] = places(at(20_000, 20_100));
    expect(before![0]).toBeLessThan(behind![0]);
    expect(before![1]).toBeGreaterThan(5);
    expect(behind![1]).toBeGreaterThan(5);
    expect(places(at(0, 10_000))).toEqual([]);
    // Drawn to scale, it says nothing about that.
    expect(text(at(0, 10_900))).not.toContain('overshoot');
    expect(text(at(0, 90_000))).toContain('not to scale');
  });
});

describe('what was not recorded', () => {
  it('is hatched and a question mark, never 0', () => {
    const html = draw(UNKNOWN);
    for (const name of ['client.sq', 'client.cq']) {
      expect(new Set(slots(html, name))).toEqual(new Set(['unknown']));
      expect(text(part(html, `data-ring="${name}"`))).toContain('?');
      expect(text(part(html, `data-ring="${name}"`))).not.toMatch(/\b0\b/);
    }
    expect(part(html, 'data-ring="client.sq"')).toContain('style="fill:url(#');
    expect(text(html)).toContain('state unknown');
    expect(text(html)).toContain('of ?');
  });

  it('leaves out rings that a host does not have, and pointers', () => {
    const html = draw(UNKNOWN);
    expect([...html.matchAll(/data-ring="([\w.]+)"/g)].map(([, name]) => name)).toEqual([
      'client.sq',
      'client.cq',
    ]);
    expect(html).not.toContain('data-written');
  });
});

describe('a long queue', () => {
  it('has 32 slots, each of which shows the most telling of those that it stands for', () => {
    const one = ring('program', { capacity: 4096, used: 1 });
    const all = [...one.slots];
    all[130] = 'failed';
    const { slots: drawn, each } = drawnSlots({ ...one, slots: all });
    expect(drawn).toHaveLength(32);
    expect(each).toBe(128);
    expect(drawn.indexOf('failed')).toBe(1);
    expect(drawnSlots(ring('program', { capacity: 40 })).slots).toHaveLength(40);
  });

  it('says so, beside its note', () => {
    const html = draw(FULL);
    const words = text(part(html, 'data-ring="client.sq"'));
    expect(slots(html, 'client.sq')).toHaveLength(32);
    expect(words).toContain('of 256');
    expect(words).toContain('drawn as 32');
    expect(words).toContain('SEND 250');
    expect(
      text(
        part(draw(picture({ rings: { sq: ring('program', { capacity: 256 }) } })), 'data-ring="client.sq"'),
      ),
    ).toContain('256 slots, drawn as 32');
  });

  it('points at the slot among those that are drawn', () => {
    const pointer = (capacity: number, slot: number): string =>
      /<path d="([^"]+)" class="program" data-written/.exec(
        draw(picture({ rings: { sq: ring('program', { capacity, written: { slot, by: 'program' } }) } })),
      )![1]!;
    expect(pointer(32, 16)).toBe(pointer(256, 130));
    expect(pointer(32, 16)).not.toBe(pointer(256, 140));
  });
});

describe('packets', () => {
  it('that are lost say so and have left their lane; one sent again looks different', () => {
    const html = draw(LOST);
    const lost = part(html, 'data-packet="Middle"');
    expect(lost).toContain('data-kind="lost"');
    expect(text(lost)).toContain('lost');
    expect(part(html, 'data-packet="again"')).toContain('data-kind="again"');
    const y = (id: string) =>
      Number(new RegExp(`translate\\([\\d.]+ ([\\d.]+)\\)[^>]*data-packet="${id}"`).exec(html)![1]);
    expect(y('Middle')).toBeGreaterThan(y('Last') + 20);
  });

  it('can be pressed only where the caller wants it', () => {
    expect(draw(LOST)).not.toContain('pressed');
    const html = draw(LOST, { onPacket: () => undefined });
    expect(part(html, 'data-packet="Last"')).toContain('pressed');
    expect(part(html, 'data-packet="Middle"')).not.toContain('pressed');
  });

  it('are outlined where the keyboard is', () => {
    expect(part(draw(LOST, { chosen: 'Last' }), 'data-packet="Last"')).toContain('class="chosen"');
  });
});

describe('the key of the picture', () => {
  const key = (...states: PictureState[]): string =>
    text(renderToStaticMarkup(<PictureKey states={states} />));
  it('explains only what appears', () => {
    expect(key(WRITE)).toContain('the device works');
    expect(key(WRITE)).toContain('carries data');
    expect(key(WRITE)).not.toMatch(/NAK|lost|not recorded|your program/);
    expect(key(WRITE, LOST)).toContain('lost');
    expect(key(BEYOND)).toContain('NAK');
    expect(key(UNKNOWN)).toContain('not recorded');
  });
});
