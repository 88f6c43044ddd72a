import type { RunEvent } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { RunModel } from '../src/model/run-model';
import { timelineOf } from '../src/parts/timeline/tracks/timeline-of';
import { TrackEvents } from '../src/parts/timeline/model/track-events';
import { events } from './machine/recorded';
import { record } from './stream';

const drawn = (model: RunModel, seen: TrackEvents) =>
  timelineOf({ model, lab: null, events: seen.update(), analysis: null, nameOf: (transport) => transport });

const tracksOf = (model: RunModel, seen: TrackEvents) =>
  new Map(drawn(model, seen).tracks.map((track) => [track.id, track]));

/** Verbs calls and work requests of a QP, one of each at a time. */
function* work(from: number, to: number, qpn = 17): Generator<RunEvent> {
  for (let i = from; i < to; i++) {
    const seq = 2 * i + 1;
    const t = 1000 * i;
    const both = { t, endpoint: 'client' };
    yield { ...both, seq, kind: 'verb', call: 'ibv_post_send', args: {}, durationNs: 10 };
    const stamps = { firstTx: null, lastTx: null, acked: null, cqe: t + 500, polled: t + 600 };
    const request = { qpn, wrId: i, opcode: 'SEND', byteLen: 1, status: 0 };
    yield { ...both, ...request, ...stamps, seq: seq + 1, kind: 'wr', posted: t };
  }
}

const take = (model: RunModel, list: Iterable<RunEvent>): void => {
  for (const event of list) model.event(event);
};

describe('the timeline of a live run', () => {
  it('is, drawn as the events come, what a saved run of them shows', () => {
    const all = events('minimal-flow');
    const model = new RunModel(record({ lab: 'minimal-flow' }));
    const seen = new TrackEvents(model);
    for (let i = 0; i < all.length; i += 7) {
      take(model, all.slice(i, i + 7));
      drawn(model, seen);
    }
    const saved = drawn(model, new TrackEvents(model, { whole: true }));
    expect(saved.tracks.length).toBeGreaterThan(5);
    expect(drawn(model, seen)).toEqual(saved);
  });

  it('draws the latest events and says how many it leaves out until the run has ended', () => {
    const model = new RunModel(record());
    const seen = new TrackEvents(model);
    const n = 30_000;
    for (let i = 0; i < n; i += 1000) {
      take(model, work(i, i + 1000));
      drawn(model, seen);
    }
    const live = drawn(model, seen);
    for (const id of ['calls client', 'wr client 17']) {
      const track = live.tracks.find((one) => one.id === id)!;
      const spans = track.kind === 'spans' ? track.rows.flat() : [];
      expect(spans.length).toBeLessThanOrEqual(8000);
      expect(spans.at(-1)!.from).toBe(1000 * (n - 1));
      expect(track.caveat).toBe(
        `the latest; ${(n - spans.length).toLocaleString('en-GB')} earlier ones are drawn once the run has ended`,
      );
    }
    // The start of the axis does not move.
    expect(live.domain[0]).toBe(0);
    const whole = tracksOf(model, new TrackEvents(model, { whole: true }));
    for (const id of ['calls client', 'wr client 17']) {
      const track = whole.get(id)!;
      expect(track.caveat).toBeUndefined();
      expect(track.kind === 'spans' ? track.rows.flat().length : 0).toBe(n);
    }
  });

  it('draws events of every QP, however busy one of them is', () => {
    const model = new RunModel(record());
    const seen = new TrackEvents(model);
    take(model, work(0, 50, 18));
    take(model, work(100, 30_000));
    const track = tracksOf(model, seen).get('wr client 18')!;
    expect(track.kind === 'spans' && track.rows.flat().length).toBe(50);
    expect(track.caveat).toBeUndefined();
  });

  it('reads each event once', () => {
    const model = new RunModel(record());
    let reads = 0;
    const counting = new Proxy<unknown[]>([], {
      get(target, key, receiver): unknown {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key, receiver);
      },
    });
    Object.assign(model, { trace: counting });
    const seen = new TrackEvents(model);
    take(model, work(0, 5000));
    seen.update();
    expect(reads).toBe(10_000);
    take(model, work(5000, 5010));
    seen.update();
    seen.update();
    expect(reads).toBe(10_020);
  });

  it('counts what counters gained since their first snapshot, drawn or not', () => {
    const model = new RunModel(record());
    const n = 3000;
    for (let i = 0; i < n; i++) {
      const values = { sent: 100 + i };
      model.event({ seq: i + 1, t: i, endpoint: 'client', kind: 'counter', when: 'sample', values });
    }
    const track = tracksOf(model, new TrackEvents(model)).get('counter client sent')!;
    expect(track.kind === 'lines' && track.lines[0]!.y.at(-1)).toBe(n - 1);
    expect(track.kind === 'lines' && track.lines[0]!.t.length).toBe(1000);
    expect(track.caveat).toContain('2,000 earlier ones');
  });
});
