/** The feed of processes under `verbslab exec`: cut into messages, and turned into events and frames of the run. */
import { decodeCompletions, decodeHeader, decodePackets, decodeSeries } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FeedDecoder, FeedError, type FeedMessage } from '../src/program/messages.js';
import { completion, detail, farewell, hello, message, note, packet, tick } from './helpers/feed.js';
import { CLOCK, kinds, run } from './helpers/run-feed.js';

const example = Buffer.concat([
  hello(CLOCK),
  note({ type: 'device', t: 10, name: 'uroce0', gids: ['::1'] }),
  note({
    type: 'made',
    t: 20,
    kind: 'MR',
    number: 7,
    call: 'ibv_reg_mr',
    attrs: { length: 4096, access: ['LOCAL_WRITE'] },
  }),
  note({ type: 'qp', t: 30, qpn: 17, from: 'RESET', to: 'INIT', attrs: {} }),
  note({ type: 'failed', t: 40, call: 'ibv_post_send', errno: 22 }),
  note({ type: 'wc', t: 50, wrId: '18446744073709551615', qpn: 17, status: 12, vendorErr: 0 }),
  note({ type: 'async', t: 60, event: 'QP_FATAL', qpn: 17 }),
  note({ type: 'counters', t: 70, when: 'after', values: { posted_sends: 3 } }),
  message(2, detail(5, [completion(100, 1n), completion(200, 2n, 12)])),
  message(3, detail(2, [packet(100, 0, Buffer.alloc(61, 0x45)), packet(300, 3, Buffer.alloc(20), 900)])),
  note({ type: 'gone', t: 400, kind: 'MR', number: 7, call: 'ibv_dereg_mr' }),
  farewell(500),
]);

describe('the feed of a process', () => {
  it('becomes events of the run, at times of the run', () => {
    const { events } = run(example);
    expect(kinds(events)).toEqual([
      'source',
      'source',
      'endpoint',
      'object',
      'qp',
      'verb',
      'completion',
      'async',
      'counter',
      'object',
    ]);
    expect(events[2]).toMatchObject({
      role: 'pid 42',
      pid: 42,
      device: 'uroce0',
      providerClass: 'user-space',
    });
    expect(events[3]).toMatchObject({
      phase: 'made',
      object: 'MR',
      number: 7,
      t: 1_000_020,
      endpoint: 'pid 42',
    });
    expect(events[5]).toMatchObject({ call: 'ibv_post_send', error: { code: 'VERBS' } });
    expect(events[6]).toMatchObject({ wc: { statusName: 'RETRY_EXC_ERR', qpn: 17, wrId: 0xffff_ffff } });
    expect(events[9]).toMatchObject({ phase: 'gone', number: 7 });
  });

  it('passes on what was posted to each peer', () => {
    const peers = [{ qpn: 17, gid: '::1', peerQpn: 4113, messages: 3, bytes: 12_288 }];
    const { events } = run(
      Buffer.concat([
        hello(CLOCK),
        note({ type: 'traffic', t: 5, peers, otherMessages: 0, otherBytes: 0 }),
        farewell(6),
      ]),
    );
    expect(events.at(-1)).toMatchObject({ kind: 'traffic', endpoint: 'pid 42', peers, otherMessages: 0 });
  });

  describe('of a process that is killed', () => {
    const found = (count: number) => ({
      ...{ id: 'post-invalid', call: 'ibv_post_send', object: { name: 'QP 0x000011' }, count },
      ...{ detail: 'opcode 9', where: null, cure: 'Use another.' },
    });
    const draft = (t: number, count: number): Buffer =>
      note({ type: 'draft', t, report: { endedBy: null, findings: [found(count)] } });

    it('has the misuse of the last draft', () => {
      const { events, findings } = run(Buffer.concat([hello(CLOCK), draft(5, 1), draft(9, 3)]));
      expect(findings).toMatchObject([{ count: 3, t: 1_000_009 }]);
      const log = events.find(({ kind }) => kind === 'log');
      expect(log).toMatchObject({
        text: expect.stringContaining('Process 42 did not report its end') as string,
      });
    });

    it('has that of its report, which names the signal, and not of the draft', () => {
      const report = note({ type: 'report', t: 10, report: { endedBy: 'SIGTERM', findings: [found(4)] } });
      const { events, findings } = run(Buffer.concat([hello(CLOCK), draft(5, 1), report]));
      expect(findings).toMatchObject([{ count: 4 }]);
      const log = events.filter(({ kind }) => kind === 'log');
      expect(log).toMatchObject([{ text: expect.stringMatching(/^SIGTERM ended process 42/) as string }]);
    });
  });

  it('becomes frames that tell what was lost', () => {
    const { frames } = run(example);
    const [completions, packets] = frames as [Uint8Array, Uint8Array];
    expect(decodeHeader(completions)).toMatchObject({ kind: 'completions', source: 1, count: 2, dropped: 5 });
    const columns = decodeCompletions(completions);
    expect([...columns.dt]).toEqual([0, 100]);
    expect([...columns.latency]).toEqual([1500, 1500]);
    expect(columns.meta[1]).toBe(12 << 8);
    expect(decodeHeader(packets)).toMatchObject({ kind: 'packets', source: 2, count: 2, dropped: 2 });
    expect(decodePackets(packets)).toMatchObject([
      { tapSeq: 0, direction: 'sent', origLen: 61, t: 1_000_100 },
      { tapSeq: 3, origLen: 900, t: 1_000_300 },
    ]);
  });

  it('makes a time series of the ticks: what was done in each interval', () => {
    const at = (t: number, messages: number): Buffer =>
      tick(t, {
        ...{ bytes: messages * 100, messages },
        ...{ userNs: t / 2, systemNs: t / 4, nicUserNs: t / 8, nicKernelNs: t / 8 },
      });
    const { frames } = run(Buffer.concat([hello(CLOCK), at(800, 1), at(1600, 11)]));
    expect(decodeSeries(frames[0]!)).toMatchObject([
      { t: 1_001_600, intervalNs: 800, bytes: 1000, messages: 10, appNs: 300, nicNs: 100, kernelNs: 200 },
    ]);
  });

  it('splits packets into frames that the agent takes', () => {
    const records = Array.from({ length: 300 }, (_, i) => packet(i, i, Buffer.alloc(4100)));
    const { frames } = run(Buffer.concat([hello(CLOCK), message(3, detail(0, records))]));
    expect(Math.max(...frames.map((frame) => frame.length))).toBeLessThan(256 * 1024);
    expect(frames.flatMap((frame) => decodePackets(frame)).map(({ tapSeq }) => tapSeq)).toEqual(
      records.map((_, i) => i),
    );
  });

  it('counts what a program does without end instead of telling all of it', () => {
    const churn = Array.from({ length: 20_010 }, (_, i) =>
      note({ type: 'made', t: i, kind: 'MR', number: i, call: 'ibv_reg_mr', attrs: {} }),
    );
    const { events } = run(Buffer.concat([hello(CLOCK), ...churn, farewell(20_010)]));
    expect(events.filter(({ kind }) => kind === 'object')).toHaveLength(20_000);
    expect(events.at(-1)).toMatchObject({ kind: 'note', text: expect.stringContaining('10 more') as string });
  });

  it('says so when a process does not report its end', () => {
    const { events } = run(Buffer.concat([hello(CLOCK, 77)]));
    expect(events.at(-1)).toMatchObject({
      kind: 'log',
      level: 'warn',
      text: expect.stringContaining('Process 77 did not report its end') as string,
    });
    expect(kinds(run(Buffer.concat([hello(CLOCK), farewell(1)])).events)).not.toContain('log');
  });

  it('means the same however the bytes arrive', () => {
    const whole = run(example);
    fc.assert(
      fc.property(fc.array(fc.nat(example.length), { maxLength: 40 }), (places) => {
        const cuts = [0, ...places, example.length].sort((a, b) => a - b);
        const decoder = new FeedDecoder();
        const messages: FeedMessage[] = [];
        for (let i = 1; i < cuts.length; i++)
          messages.push(...decoder.push(example.subarray(cuts[i - 1], cuts[i])));
        expect(messages).toHaveLength(12);
      }),
    );
    expect(whole.events).toHaveLength(10);
  });

  it('rejects data that is not a feed, without other harm', () => {
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .tuple(fc.nat(6), fc.uint8Array({ maxLength: 200 }))
        .map(([type, bytes]) => message(type, Buffer.from(bytes))),
      fc.json().map((text) => message(1, Buffer.from(text))),
      fc.tuple(fc.nat(example.length - 1), fc.nat(255)).map(([at, byte]) => {
        const changed = Buffer.from(example);
        changed[at] = byte;
        return changed;
      }),
    );
    fc.assert(
      fc.property(broken, (bytes) => {
        try {
          run(Buffer.concat([hello(CLOCK), bytes]));
        } catch (error) {
          expect(error).toBeInstanceOf(FeedError);
        }
      }),
      { numRuns: 500 },
    );
    expect(() => [...new FeedDecoder().push(Buffer.from('ffffffff01000000', 'hex'))]).toThrow(/too long/);
  });
});
