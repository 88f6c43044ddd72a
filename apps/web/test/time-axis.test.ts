import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunModel } from '../src/model/run-model';
import { timeAt, xOf } from '../src/parts/timeline/draw/pen';
import { stepAxis } from '../src/parts/timeline/model/step-axis';
import { CutAxis, idleCuts, UNCUT, type Cut } from '../src/parts/timeline/model/time-axis';
import { createTimelineStore, pan, show, zoom } from '../src/parts/timeline/timeline-store';
import { events } from './machine/recorded';
import { record } from './stream';

const END = 1e10;
/** Cuts of at least a millisecond, in order, with room between them. */
const cutsOf = fc
  .uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 20 })
  .chain((places) =>
    fc.tuple(
      fc.constant(places.toSorted((a, b) => a - b)),
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: places.length, maxLength: places.length }),
    ),
  )
  .map(([places, lengths]) =>
    places.map((place, i): Cut => ({ from: place * 1e7, to: place * 1e7 + lengths[i]! * 1e6 })),
  );
const width = fc.integer({ min: 1000, max: 900_000 });
const times = fc.tuple(fc.integer({ min: 0, max: END }), fc.integer({ min: 0, max: END }));

describe('an axis with cuts', () => {
  it('keeps the order of times, and shows a stretch without a cut as long as it took', () => {
    fc.assert(
      fc.property(cutsOf, width, times, (cuts, wide, [a, b]) => {
        const axis = new CutAxis(cuts, wide);
        const [early, late] = a < b ? [a, b] : [b, a];
        const length = axis.place(late) - axis.place(early);
        expect(length).toBeGreaterThanOrEqual(0);
        if (late > early) expect(length).toBeGreaterThan(0);
        if (!cuts.some(({ from, to }) => to > early && from < late))
          expect(length).toBeCloseTo(late - early, 3);
        expect(length).toBeLessThanOrEqual(late - early + 1e-3);
      }),
    );
  });

  it('finds the time of a place outside of its cuts', () => {
    fc.assert(
      fc.property(cutsOf, width, fc.integer({ min: 0, max: END }), (cuts, wide, t) => {
        const axis = new CutAxis(cuts, wide);
        const back = axis.time(axis.place(t));
        const cut = cuts.find(({ from, to }) => from <= t && t <= to);
        if (cut) {
          expect(back).toBeGreaterThanOrEqual(cut.from - 1e-3);
          expect(back).toBeLessThanOrEqual(cut.to + 1e-3);
        } else expect(back).toBeCloseTo(t, 3);
      }),
    );
  });

  it('draws every cut with the same width', () => {
    fc.assert(
      fc.property(cutsOf, width, (cuts, wide) => {
        const axis = new CutAxis(cuts, wide);
        for (const { from, to } of cuts) expect(axis.place(to) - axis.place(from)).toBeCloseTo(wide, 3);
      }),
    );
  });

  it('is moved and zoomed inside of its domain', () => {
    fc.assert(
      fc.property(
        cutsOf,
        fc.array(
          fc.tuple(fc.constantFrom('pan', 'zoom', 'show'), fc.double({ min: -3, max: 3, noNaN: true })),
        ),
        (cuts, moves) => {
          const store = createTimelineStore([0, END], new CutAxis(cuts, 250_000));
          for (const [move, by] of moves) {
            if (move === 'pan') pan(store, by);
            else if (move === 'zoom') zoom(store, 2 ** by);
            else show(store, (by * END) / 6, (by * END) / 6 + 1e8);
            const { from, to, axis } = store.getState();
            expect(from).toBeGreaterThanOrEqual(-1);
            expect(to).toBeLessThanOrEqual(END + 1);
            const view = { from, to, width: 1000, axis };
            expect(timeAt(view, 0)).toBeCloseTo(from, 0);
            expect(xOf(view, to)).toBeCloseTo(1000, 3);
          }
        },
      ),
    );
  });
});

describe('what is cut', () => {
  it('is idle, and at least as long as asked', () => {
    const busy = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 5000 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(busy, (list) => {
        const all = list.map(([from, length]): Cut => ({ from, to: from + length }));
        const cuts = idleCuts(all, 1000, 10);
        for (const cut of cuts) {
          expect(cut.to - cut.from).toBeGreaterThanOrEqual(980);
          for (const { from, to } of all) expect(to <= cut.from - 10 || from >= cut.to + 10).toBe(true);
        }
        // Nothing idle is left that is long enough.
        const edges = all.toSorted((a, b) => a.from - b.from);
        let last = edges[0]?.to ?? 0;
        let idle = 0;
        for (const { from, to } of edges) {
          if (from - last >= 1000) idle++;
          last = Math.max(last, to);
        }
        expect(cuts).toHaveLength(idle);
      }),
    );
  });

  /** The recorded run, with as much time before each step as a reader takes. */
  function slow(mode: 'all' | 'step'): RunModel {
    const model = new RunModel(record({ lab: 'minimal-flow', mode, state: 'done' }));
    const late = { wait: 0 };
    const later = (t: number | null): number | null => (t === null ? null : t + late.wait);
    for (const event of events('minimal-flow')) {
      if (event.kind === 'step' && event.phase === 'begin') late.wait += 2.5e9;
      const moved = { ...event, t: event.t + late.wait };
      if (moved.kind === 'wr')
        for (const name of ['posted', 'firstTx', 'lastTx', 'acked', 'cqe', 'polled'] as const)
          (moved as Record<string, unknown>)[name] = later(moved[name]);
      model.event(moved);
    }
    return model;
  }

  it('is the time to think of a run gone through step by step', () => {
    const model = slow('step');
    const axis = stepAxis(model);
    const pauses = axis.cuts.filter(({ from, to }) => to - from > 2e9);
    // Nothing is recorded before the first step.
    expect(pauses).toHaveLength(11);
    const steps = model.trace.filter((e) => e.kind === 'step' && e.phase === 'begin');
    for (const { t } of steps) expect(pauses.filter(({ from, to }) => from < t && t < to)).toEqual([]);
    const first = model.trace[0]!.t;
    const last = model.trace.at(-1)!.t;
    expect(last - first).toBeGreaterThan(27e9);
    expect(axis.place(last) - axis.place(first)).toBeLessThan(0.1e9);
    const wr = model.trace.find((e) => e.kind === 'wr')!;
    // What happened to the request is as long as it was.
    expect(axis.place(wr.acked!) - axis.place(wr.posted)).toBeCloseTo(wr.acked! - wr.posted, 3);
  });

  it('is nothing of a run that ran by itself', () => {
    expect(stepAxis(slow('all'))).toBe(UNCUT);
  });
});
