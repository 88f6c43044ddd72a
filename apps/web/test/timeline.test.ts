import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaRows } from '../src/parts/timeline/kinds';
import { held } from '../src/parts/timeline/model/area';
import { rowsOf, spanAt, type Span } from '../src/parts/timeline/model/spans';
import { EventStream, streamOf } from '../src/parts/timeline/model/stream';
import { momentText, ticksOf } from '../src/format/time-text';
import { depthLine } from '../src/parts/timeline/tracks/depth';
import { columns } from '../src/parts/timeline/draw/marks';
import { psnRange } from '../src/parts/timeline/draw/psn';
import { createTimelineStore, fit, grow, pan, show, zoom } from '../src/parts/timeline/timeline-store';

const seed = Number(process.env.TIMELINE_SEED ?? Date.now() % 1_000_000);
const property = { seed, numRuns: 200 };

const times = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 600 });
const stream = (list: readonly number[], y?: readonly number[]) => {
  const t = list.toSorted((a, b) => a - b);
  return new EventStream(
    Float64Array.from(t),
    Uint32Array.from(t, (_, i) => i),
    y ? Float64Array.from(y.slice(0, t.length)) : null,
  );
};

describe(`streams of events (seed ${seed})`, () => {
  it('find the first event at or after a time', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: -5, max: 1_000_005 }), fc.nat(600), (list, t, from) => {
        const s = stream(list);
        const start = Math.min(from, s.length);
        const want = s.t.findIndex((x, i) => i >= start && x >= t);
        expect(s.at(t, start)).toBe(want < 0 ? s.length : want);
      }),
      property,
    );
  });

  it('know the range of values between two events, from any level of the pyramid', () => {
    const n = 20_000;
    const y = Float64Array.from({ length: n }, (_, i) => Math.sin(i * 12.9898) * 1e6);
    const s = new EventStream(
      Float64Array.from(y, (_, i) => i),
      new Uint32Array(n),
      y,
    );
    fc.assert(
      fc.property(fc.nat(n), fc.nat(n), (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const part = y.subarray(from, to);
        const want = [Math.min(...part), Math.max(...part)];
        expect(s.range(from, to)).toEqual(want);
      }),
      property,
    );
  });

  it('show each event in exactly one column of a view', () => {
    fc.assert(
      fc.property(times, fc.nat(1_000_000), fc.integer({ min: 20, max: 500_000 }), (list, from, span) => {
        const s = stream(list);
        const view = { from, to: from + span, width: 300 };
        const seen: number[] = [];
        let last = -Infinity;
        columns(s, view, (x, a, b) => {
          expect(x).toBeGreaterThanOrEqual(last);
          last = x;
          for (let i = a; i < b; i++) seen.push(i);
        });
        const want = [...s.t.keys()].filter((i) => s.t[i]! >= view.from && s.t[i]! < view.to);
        expect(seen).toEqual(want);
      }),
      property,
    );
  });

  it('sort what comes out of order', () => {
    const s = streamOf(
      [
        { t: 5, ref: 1 },
        { t: 2, ref: 2 },
      ],
      ({ t }) => t,
      ({ ref }) => ref,
    );
    expect([...s.t]).toEqual([2, 5]);
    expect([...s.ref]).toEqual([2, 1]);
    expect(s.nearest(3)).toBe(0);
    expect(s.nearest(4)).toBe(1);
  });
});

const spans = fc.array(
  fc
    .tuple(fc.nat(1000), fc.nat(50))
    .map(([from, length]): Span => ({ from, to: from + length, ref: from, label: '', tone: 'request' })),
  { maxLength: 100 },
);

describe(`rows of spans (seed ${seed})`, () => {
  it('hold each span once, and none of a row covers another', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const rows = rowsOf(list);
        expect(rows.flat().length).toBe(list.length);
        for (const row of rows)
          row.forEach((span, i) => i > 0 && expect(row[i - 1]!.to).toBeLessThanOrEqual(span.from));
      }),
      property,
    );
  });

  it('need as many rows as are under way at once', () => {
    const span = (from: number, to: number): Span => ({ from, to, ref: 0, label: '', tone: 'request' });
    expect(rowsOf([span(0, 10), span(5, 15), span(10, 20)]).length).toBe(2);
  });

  it('find the span at a time', () => {
    const row = rowsOf([
      { from: 0, to: 10, ref: 1, label: '', tone: 'call' },
      { from: 20, to: 30, ref: 2, label: '', tone: 'call' },
    ])[0]!;
    expect(spanAt(row, 5, 5)?.ref).toBe(1);
    expect(spanAt(row, 15, 15)).toBeNull();
    expect(spanAt(row, 16, 20)?.ref).toBe(2);
  });
});

describe('the depth of a queue', () => {
  it('is never negative, counts all that came, and ends with what stayed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(100), fc.option(fc.nat(100))), { maxLength: 60 }), (list) => {
        const stays = list.map(([from, length]) => ({ from, to: length === null ? null : from + length }));
        const { t, y } = depthLine('', 'rdma', stays);
        expect(y.every((v) => v >= 0 && v <= stays.length)).toBe(true);
        expect(t.every((v, i) => i === 0 || v > t[i - 1]!)).toBe(true);
        if (stays.length > 0) expect(y.at(-1)).toBe(stays.filter(({ to }) => to === null).length);
      }),
      property,
    );
  });
});

describe('the figures of a stretch', () => {
  it('weigh a value by how long it held', () => {
    const line = { t: Float64Array.of(0, 10, 20), y: Float64Array.of(1, 3, NaN) };
    expect(held(line, 0, 20)).toEqual({ mean: 2, most: 3 });
    expect(held(line, 5, 40)).toEqual({ mean: (1 * 5 + 3 * 10) / 15, most: 3 });
    expect(held(line, 25, 40)).toBeNull();
  });

  it('count the events in it, its end included', () => {
    const track = {
      id: 'm',
      group: '',
      title: 'Errors',
      kind: 'marks' as const,
      height: 24,
      marks: [
        {
          name: 'failed',
          color: 'error' as const,
          shape: 'cross' as const,
          of: 'event' as const,
          stream: stream([1, 5, 9]),
        },
      ],
    };
    expect(areaRows([track], 1, 5)).toEqual([
      { track: 'Errors', group: '', what: 'failed', count: 2, value: '' },
    ]);
    expect(areaRows([track], 6, 8)).toEqual([]);
  });
});

describe('a PSN graph', () => {
  it('shows the values that are in view', () => {
    const track = {
      id: 'p',
      group: '',
      title: '',
      kind: 'psn' as const,
      height: 100,
      top: 9,
      marks: [
        {
          name: '',
          color: 'rdma' as const,
          shape: 'dot' as const,
          of: 'packet' as const,
          stream: stream([0, 10, 20], [0, 5, 9]),
        },
      ],
    };
    expect(psnRange(track, { from: 5, to: 30, width: 10 })).toEqual([5, 9]);
    expect(psnRange(track, { from: 30, to: 40, width: 10 })).toEqual([0, 9]);
  });
});

describe('the view', () => {
  it('stays inside the run and keeps what is under the pointer', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom('zoom', 'pan', 'fit'), fc.double({ min: 0.1, max: 4, noNaN: true })),
          { maxLength: 30 },
        ),
        (moves) => {
          const store = createTimelineStore([1000, 1_000_000]);
          for (const [what, by] of moves) {
            if (what === 'zoom') zoom(store, by);
            else if (what === 'pan') pan(store, by - 2);
            else fit(store, 2000 * by, 3000 * by);
            const { from, to } = store.getState();
            expect(from).toBeGreaterThanOrEqual(1000 - 1e-6);
            expect(to).toBeLessThanOrEqual(1_000_000 + 1e-6);
            expect(to - from).toBeGreaterThan(0);
          }
        },
      ),
      property,
    );
    const store = createTimelineStore([0, 1000]);
    zoom(store, 0.5, 250);
    expect(store.getState()).toMatchObject({ from: 125, to: 625, following: false });
  });

  it('grows with a run in progress until somebody moves it', () => {
    const store = createTimelineStore([0, 100]);
    grow(store, [0, 200]);
    expect(store.getState()).toMatchObject({ from: 0, to: 200 });
    show(store, 50, 90);
    grow(store, [0, 400]);
    expect(store.getState()).toMatchObject({ from: 50, to: 90, domain: [0, 400] });
  });
});

describe('times', () => {
  it('have as many digits as their step needs', () => {
    expect(ticksOf(371_826_000, 371_830_000, 4)).toEqual({
      unit: 'µs',
      ticks: [
        { t: 371_826_000, text: '371,826' },
        { t: 371_827_000, text: '371,827' },
        { t: 371_828_000, text: '371,828' },
        { t: 371_829_000, text: '371,829' },
        { t: 371_830_000, text: '371,830' },
      ],
    });
    expect(ticksOf(0, 5e9, 5).ticks.map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(momentText(371_826_187, 1000)).toBe('0.371826187 s');
    expect(momentText(1_500_000_000, 5e9)).toBe('1.500 s');
  });
});
