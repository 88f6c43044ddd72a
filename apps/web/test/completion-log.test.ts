import { decodeHeader, type RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { CompletionLog } from '../src/model/completion-log';
import { Stream } from './stream';

const take = (log: CompletionLog, frame: Uint8Array) => log.frame(decodeHeader(frame), frame);

/** A frame beyond the recorded limit, which has no place in the stream. */
function liveOnly(s: Stream) {
  const frame = s.completions(1, 10);
  new DataView(frame.buffer).setUint32(8, 0, true);
  return frame;
}

const dropped = (s: Stream, records: number) =>
  s.event({ kind: 'dropped', what: 'completions', records, reason: 'limit' }) as RunEventOf<'dropped'>;

describe('completions folded from the stream of a run', () => {
  it('ignores what it has already, so that a stream can be resumed', () => {
    const s = new Stream();
    const log = new CompletionLog();
    const frame = s.completions(1, 10);
    const event = dropped(s, 3);
    for (const _ of [1, 2]) {
      take(log, frame);
      log.notRecorded(event);
    }
    expect([log.ring.total, log.ring.dropped, log.lastSeq]).toEqual([10, 3, 2]);
  });

  it('takes live detail beyond the record, which has no place in the stream', () => {
    const s = new Stream();
    const log = new CompletionLog();
    take(log, s.completions(1, 10));
    const frame = liveOnly(s);
    take(log, frame);
    take(log, frame);
    expect([log.ring.total, log.lastSeq]).toEqual([30, 1]);
  });

  it('misses of what was not recorded only the part that did not come live', () => {
    const all = { s: new Stream(), log: new CompletionLog() };
    take(all.log, liveOnly(all.s));
    all.log.notRecorded(dropped(all.s, 10));
    take(all.log, liveOnly(all.s));
    take(all.log, liveOnly(all.s));
    all.log.notRecorded(dropped(all.s, 20));
    expect([all.log.ring.total, all.log.ring.dropped]).toEqual([30, 0]);
    // The agent left out ten records beyond the limit and five of the record, because this page was slow.
    const slow = { s: new Stream(), log: new CompletionLog() };
    take(slow.log, liveOnly(slow.s));
    slow.log.missed(10, false);
    slow.log.missed(5, true);
    slow.log.notRecorded(dropped(slow.s, 20));
    expect([slow.log.ring.total, slow.log.ring.dropped]).toEqual([10, 15]);
    // A replay has none of them, and one that came late some.
    const replay = { s: new Stream(), log: new CompletionLog() };
    replay.log.notRecorded(dropped(replay.s, 20));
    expect(replay.log.ring.dropped).toBe(20);
    const late = { s: new Stream(), log: new CompletionLog() };
    take(late.log, liveOnly(late.s));
    late.log.notRecorded(dropped(late.s, 10));
    late.log.notRecorded(dropped(late.s, 20));
    expect([late.log.ring.total, late.log.ring.dropped]).toEqual([10, 20]);
  });

  it('leaves packets to others', () => {
    const s = new Stream();
    const log = new CompletionLog();
    log.notRecorded(
      s.event({ kind: 'dropped', what: 'packets', records: 7, reason: 'limit' }) as RunEventOf<'dropped'>,
    );
    expect([log.ring.dropped, log.lastSeq, log.version]).toEqual([0, 0, 0]);
  });
});
