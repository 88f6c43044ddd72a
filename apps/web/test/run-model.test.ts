import { describe, expect, it } from 'vitest';
import { NO_COMPLETIONS } from '../src/model/completion-snapshot';
import { countersView } from '../src/model/counters-view';
import { RunModel } from '../src/model/run-model';
import { record, Stream } from './stream';
import { bulkRun } from './bulk-run';

describe('a run folded from its stream', () => {
  const packet = {
    t: 5,
    tapSeq: 1,
    direction: 'sent',
    flags: 0,
    origLen: 4,
    bytes: new Uint8Array(4),
  } as const;

  it('ignores what it has already, so that a stream can be resumed', () => {
    const { model, s } = bulkRun();
    const frame = s.packets(1, [packet]);
    model.frame(frame);
    model.frame(frame);
    expect(model.packets.length).toBe(1);
  });

  it('continues after the completions that were reported to it', () => {
    const { model } = bulkRun();
    model.setCompletions({ ...NO_COMPLETIONS, total: 10 }, model.lastSeq + 1);
    const { lastSeq } = model;
    model.setCompletions({ ...NO_COMPLETIONS, total: 20 }, lastSeq - 1);
    expect([model.completions.total, model.lastSeq]).toEqual([20, lastSeq]);
  });

  it('misses of the packets that were not recorded only those that did not come live', () => {
    const { model, s } = bulkRun();
    const frame = s.packets(1, [packet]);
    new DataView(frame.buffer).setUint32(8, 0, true);
    const last = model.lastSeq;
    model.frame(frame);
    model.frame(frame);
    expect([model.packets.length, model.lastSeq]).toEqual([2, last]);
    model.missedPackets(3, false);
    model.event(s.event({ kind: 'dropped', what: 'packets', records: 9, reason: 'limit' }));
    expect(model.packets.dropped).toBe(7);
  });

  it('counts frames that it cannot read instead of failing', () => {
    const { model } = bulkRun();
    model.frame(new Uint8Array(40));
    expect(model.badFrames).toBe(1);
  });

  it('does not walk a finished run through its old states when it is replayed', () => {
    const model = new RunModel(record({ state: 'done' }));
    const s = new Stream();
    model.event(s.event({ kind: 'run.state', state: 'running' }));
    model.event(s.event({ kind: 'progress', fraction: 0.5, text: 'half', secondsLeft: 1 }));
    expect(model.record.state).toBe('done');
    expect(model.record.progress).toBeNull();
  });

  it('shows what happened to counters during the run, moved ones first', () => {
    const { model, s } = bulkRun();
    model.event(
      s.event({
        kind: 'counter',
        endpoint: 'client',
        when: 'before',
        values: { sent_pkts: 10, ack_deferred: 3 },
      }),
    );
    model.event(
      s.event({
        kind: 'counter',
        endpoint: 'client',
        when: 'after',
        values: { sent_pkts: 30, ack_deferred: 3 },
      }),
    );
    model.event(
      s.event({ kind: 'counter', endpoint: 'another', when: 'after', values: { sent_pkts: 7, own: 0 } }),
    );
    expect(countersView(model)).toEqual({
      endpoints: ['another', 'client'],
      rows: [
        {
          name: 'sent_pkts',
          cells: [
            { now: 7, change: null },
            { now: 30, change: 20 },
          ],
          moved: true,
        },
        { name: 'ack_deferred', cells: [null, { now: 3, change: 0 }], moved: false },
        { name: 'own', cells: [{ now: 0, change: null }, null], moved: false },
      ],
    });
  });

  it('knows the link of each transport, from its events and then from its result', () => {
    const model = new RunModel(record());
    const s = new Stream();
    expect([model.links, model.linkOf('rdma')]).toEqual([[], undefined]);
    model.event(s.event({ kind: 'link', link: 'shm', transport: 'shm' }));
    model.event(s.event({ kind: 'link', link: 'udp', transport: 'rdma' }));
    expect(model.links).toEqual(['udp', 'shm']);
    expect([model.linkOf('rdma'), model.linkOf('shm'), model.linkOf('tcp')]).toEqual([
      'udp',
      'shm',
      undefined,
    ]);
  });

  it('gives all figures of a program to its link, if it used only one', () => {
    const model = new RunModel(record({ lab: 'program' }));
    const s = new Stream();
    model.event(s.event({ kind: 'link', link: 'shm' }));
    expect(model.linkOf('rdma')).toBe('shm');
    model.event(s.event({ kind: 'link', link: 'udp' }));
    expect([model.links, model.linkOf('rdma')]).toEqual([['udp', 'shm'], undefined]);
  });
});
