import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PhaseStore } from '../src/model/phases';
import { RunModel } from '../src/model/run-model';
import { phaseTrack } from '../src/parts/timeline/tracks/phases';
import { record, Stream } from './stream';

const edge = (phase: 'begin' | 'end', id: string, t: number) =>
  ({ kind: 'phase', phase, id, omit: false, text: `Phase ${id}`, t }) as const;

describe('the phases of a run', () => {
  it('are found by time, the latest of those at the same time', () => {
    const times = fc.uniqueArray(fc.tuple(fc.nat(100), fc.nat(100)), { maxLength: 12 });
    fc.assert(
      fc.property(times, fc.nat(120), (pairs, t) => {
        const spans = pairs.map(([from, length], id) => ({ id: String(id), from, to: from + length }));
        const edges = spans
          .flatMap(({ id, from, to }) => [edge('begin', id, from), edge('end', id, to)])
          .sort((a, b) => a.t - b.t || (a.phase === 'begin' ? -1 : 1) - (b.phase === 'begin' ? -1 : 1));
        const store = new PhaseStore();
        const s = new Stream();
        for (const e of edges) store.add(s.event(e) as never);
        const around = store.all.filter(({ begin, end }) => begin.t <= t && t <= end);
        expect(store.at(t)).toBe(around.at(-1) ?? null);
      }),
    );
  });

  it('are a track of the timeline, and an event that is chosen there', () => {
    const run = new RunModel(record({ lab: 'clinic-tour' }));
    const s = new Stream();
    const events = [edge('begin', 'a', 10), edge('end', 'a', 20), edge('begin', 'b', 20)].map((e) =>
      s.event(e),
    );
    for (const e of events) run.event(e);
    expect(phaseTrack(run, 50)).toMatchObject([
      {
        id: 'phases',
        rows: [
          [
            { from: 10, to: 20, label: 'Phase a', ref: 1 },
            { from: 20, to: 50, label: 'Phase b', ref: 3 },
          ],
        ],
      },
    ]);
    expect(run.eventAt(3)).toBe(events[2]);
    expect(phaseTrack(new RunModel(record({})), 50)).toEqual([]);
  });
});
