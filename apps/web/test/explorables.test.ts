/** Rules of the explorables, against the recorded samples and against themselves. */
import type { Row } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asEdit, recordedBy, requestOf } from '../src/explanations/bounds/header-explorer';
import * as bounds from '../src/explanations/bounds/model';
import * as ring from '../src/explanations/cq-ring/model';
import { sampleOf } from '../src/explanations/samples';
import { edgeOf, pathOf, type Move } from '../src/explanations/states/path';
import { nextState, TALL, WIDE } from '../src/explanations/states/places';
import { nameOf, outOf, STATES, TRANSITIONS } from '../src/explanations/states/transitions';

describe('ring of a completion queue', () => {
  const { empty, linesOf, poll, post, sentenceOf, stepsTo, writtenOf } = ring;

  it('computes what the device did with every number of requests that the sample posted', async () => {
    const run = await sampleOf('cq-ring');
    const entries = ring.entriesOf(run.results)!;
    const posts = ring.recordedPosts(run.results);
    expect(posts.some((count) => count > entries)).toBe(true);
    for (const count of posts) {
      const lines = linesOf(run, post(empty(entries), count));
      for (const { what, computed, recorded } of lines) {
        if (recorded === null) continue;
        // After other numbers of requests than one too many, the run waited for CQ_ERR alone.
        const alone = recorded === 'CQ_ERR' ? computed.split(', ')[0] : computed;
        expect([count, what, alone]).toEqual([count, what, recorded]);
      }
      expect(lines.filter(({ recorded }) => recorded !== null)).toHaveLength(count === entries + 1 ? 5 : 3);
    }
    // After the overrun the lab polled everything and posted more than the queue holds.
    const broken = poll(post(empty(entries), entries + 1), entries);
    const later = post(broken, 64);
    const found = run.results.tables.broken!.find(({ what }) => what === 'Completions of later posts')!.found;
    expect(found).toBe(`${later.queued.length} completions (WR_FLUSH_ERR)`);
    expect(new Set(later.queued)).toEqual(new Set(['flushed']));
  });

  it('loses a completion only without a free slot, and never recovers', () => {
    const action = fc.record({ posts: fc.boolean(), count: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(action, { maxLength: 20 }), (entries, actions) => {
        let queue = empty(entries);
        for (const { posts, count } of actions) {
          const before = queue;
          queue = posts ? post(queue, count) : poll(queue, count);
          expect(queue.queued.length).toBeLessThanOrEqual(entries);
          expect(writtenOf(queue) + queue.lost).toBe(queue.posted);
          const room = entries - before.queued.length;
          expect(queue.lost - before.lost).toBe(posts ? Math.max(0, count - room) : 0);
          expect(queue.overrun === null).toBe(queue.lost === 0);
          if (before.overrun !== null) expect(queue.overrun).toBe(before.overrun);
          expect(sentenceOf(queue)).not.toBe('');
        }
      }),
    );
  });

  it('compares with no record once something was polled early', async () => {
    const run = await sampleOf('cq-ring');
    const early = post(poll(post(empty(16), 4), 1), 13);
    expect(early).toMatchObject({ posted: 17, polled: 1, lost: 0, overrun: null });
    expect(linesOf(run, early).every(({ recorded }) => recorded === null)).toBe(true);
  });

  it('turns a pointer the shorter way', () => {
    expect(stepsTo(15, 1, 16)).toBe(2);
    expect(stepsTo(17, 0, 16)).toBe(-1);
    expect(stepsTo(5, 5, 16)).toBe(0);
  });
});

describe('bounds of a region', () => {
  const { answerOf, checksOf, recordedOf, REGION, sentenceOf } = bounds;
  const anyRequest = fc.record({
    op: fc.constantFrom('READ' as const, 'WRITE' as const),
    from: fc.integer({ min: -1024, max: REGION + 1024 }),
    length: fc.integer({ min: 0, max: 6144 }),
    key: fc.boolean(),
    region: fc.boolean(),
    qp: fc.boolean(),
  });

  it('computes what the device answered to every recorded request', async () => {
    const recorded = recordedOf((await sampleOf('bounds')).sample!.derived as Row[]);
    expect(recorded.length).toBeGreaterThan(100);
    for (const { op, from, length, key, region, qp, ...answer } of recorded) {
      const request = { op, from, length, key, region, qp };
      const { refusedBy, ...computed } = answerOf(request);
      expect([request, answer]).toEqual([request, computed]);
      expect(sentenceOf(request)).toMatch(refusedBy === null ? /^Executed/ : /^Refused/);
    }
  });

  it('makes no check behind the one that decides', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const passed = checksOf(request).map((one) => one.passed);
        const made = passed.filter((one) => one !== null);
        expect(passed.slice(0, made.length)).toEqual(made);
        expect(made.slice(0, -1).every((one) => one === true)).toBe(true);
        expect(answerOf(request).refusedBy === null).toBe(made.at(-1) === true);
      }),
    );
  });

  it('reads back the request that the header explorer is told to send', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const sent = asEdit(request);
        if (typeof sent === 'string') return;
        expect(requestOf(sent.packet, sent.edit)).toEqual(request);
      }),
    );
    expect(requestOf('write', 'bth.psn=+1')).toBeNull();
    expect(requestOf('write', 'reth.dmaLength=-1')).toBeNull();
    expect(requestOf('write', 'reth.dmaLength=128')).toBeNull();
    expect(requestOf('send', '')).toBeNull();
  });

  it('finds the requests at the bounds in a run of the header explorer', async () => {
    const { record } = await sampleOf('bounds');
    const recorded = recordedBy(record);
    // Three edits of the lab, its packet as it is, and the READ of the reader.
    expect(recorded.length).toBeGreaterThanOrEqual(5);
    expect(recorded).toContainEqual(
      expect.objectContaining({ op: 'READ', from: REGION - 1024, length: 1025, nak: 0x62 }),
    );
    for (const { status, nak, ...request } of recorded) {
      const answer = answerOf(request);
      expect([request, nak]).toEqual([request, answer.nak]);
      if (status !== null) expect([request, status]).toEqual([request, answer.status]);
    }
  });
});

describe('graph of the states', () => {
  const names = TRANSITIONS.map(nameOf);

  it('walks only along transitions of the graph, one behind the other', async () => {
    const moves = (await sampleOf('states')).sample!.derived as Move[];
    expect(moves.map(({ to }) => to)).toEqual(['INIT', 'RTR', 'RTS', 'ERR', 'RESET']);
    let [state, t] = ['RESET', 0];
    for (const move of moves) {
      expect(move.from).toBe(state);
      expect(move.t).toBeGreaterThan(t);
      expect(names).toContain(edgeOf(move));
      [state, t] = [move.to, move.t];
    }
  });

  it('takes the QP that moved most', () => {
    const qp = (t: number, endpoint: string, qpn: number, from: string, to: string) =>
      ({ kind: 'qp', seq: t, t, endpoint, qpn, from, to, attrs: {} }) as never;
    const trace = [
      qp(5, 'client', 1, 'RESET', 'RESET'),
      qp(6, 'server', 1, 'RESET', 'INIT'),
      qp(8, 'server', 1, 'INIT', 'RTR'),
      qp(9, 'client', 1, 'RESET', 'INIT'),
      qp(10, 'server', 1, 'RTR', 'UNKNOWN'),
    ];
    expect(pathOf({ trace })).toEqual([
      { t: 0, from: 'RESET', to: 'INIT' },
      { t: 2, from: 'INIT', to: 'RTR' },
    ]);
    expect(pathOf({ trace: [] })).toEqual([]);
  });

  it.each([
    ['across', WIDE],
    ['down', TALL],
  ])('draws every transition inside of the picture, %s', (_, places) => {
    const drawn = [...Object.keys(places.lines), 'auto-ERR'];
    expect(drawn.toSorted()).toEqual(names.toSorted());
    for (const [x, y] of [
      ...Object.values(places.states),
      ...Object.values(places.lines).flat(),
      ...places.errors.flat(),
    ]) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(places.width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(places.height);
    }
    // Arrows reach every state from RESET.
    const reached = new Set<string>(['RESET']);
    for (const state of reached)
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'])
        reached.add(nextState(places, state as (typeof STATES)[number], key) ?? state);
    expect([...reached].toSorted()).toEqual([...STATES].toSorted());
  });

  it('leads from RESET to INIT alone, and from ERR to RESET alone', () => {
    expect(outOf('RESET').map(nameOf)).toEqual(['RESET-INIT']);
    expect(outOf('ERR').map(nameOf)).toEqual(['any-RESET']);
    expect(outOf('RTS').map(nameOf)).toEqual(['RTS-SQD', 'any-ERR', 'any-RESET', 'auto-SQE', 'auto-ERR']);
  });
});
