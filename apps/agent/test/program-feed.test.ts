/** The feed of processes under `verbslab exec`: cut into messages, and turned into events and frames of the run. */
import {
  decodeCompletions,
  decodeHeader,
  decodePackets,
  decodeSeries,
  zProgramEvent,
} from '@verbslab/protocol';
import type { ProgramEvent } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FeedDecoder, FeedError, type FeedMessage } from '../src/program/messages.js';
import { ProcessFeed, type UnplacedFinding } from '../src/program/process-feed.js';
import { WorkTally } from '../src/program/work-tally.js';
import { workText } from '../src/program/work-text.js';
import { completion, detail, farewell, hello, message, note, packet } from './helpers/feed.js';

const CLOCK = 5_000_000_000_000n;

interface Ran {
  events: ProgramEvent[];
  frames: Uint8Array[];
  findings: UnplacedFinding[];
  work: WorkTally;
}

function run(bytes: Buffer): Ran {
  const work = new WorkTally();
  const events: ProgramEvent[] = [];
  const frames: Uint8Array[] = [];
  const findings: UnplacedFinding[] = [];
  let sources = 0;
  const feed = new ProcessFeed(CLOCK, {
    event: (event) => events.push(zProgramEvent.parse(event)),
    frame: (frame) => frames.push(frame),
    newSource: () => ++sources,
    work,
    finding: (finding) => findings.push(finding),
  });
  for (const one of new FeedDecoder().push(bytes)) feed.take(one);
  feed.end();
  return { events, frames, findings, work };
}

const kinds = (events: readonly ProgramEvent[]): string[] => events.map(({ kind }) => kind);

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
    const tick = (t: number, messages: number): Buffer =>
      note({
        type: 'tick',
        t,
        bytes: messages * 100,
        messages,
        userNs: t / 2,
        systemNs: t / 4,
        nicUserNs: t / 8,
        nicKernelNs: t / 8,
        voluntary: 0,
        involuntary: 0,
      });
    const { frames } = run(Buffer.concat([hello(CLOCK), tick(800, 1), tick(1600, 11)]));
    expect(decodeSeries(frames[0]!)).toMatchObject([
      { t: 1_001_600, intervalNs: 800, bytes: 1000, messages: 10, appNs: 300, nicNs: 100, kernelNs: 200 },
    ]);
  });

  it('sums up what was moved, how fast and with whom', () => {
    const tick = (messages: number, at: Record<string, number>): Buffer =>
      note({
        type: 'tick',
        t: 10,
        bytes: messages * 4096,
        messages,
        userNs: 0,
        systemNs: 0,
        nicUserNs: 0,
        nicKernelNs: 0,
        voluntary: 0,
        involuntary: 0,
        ...at,
      });
    const peers = [{ qpn: 17, gid: '::ffff:10.0.0.2', peerQpn: 1, messages: 3, bytes: 3 }];
    const { work } = run(
      Buffer.concat([
        hello(CLOCK),
        note({ type: 'device', t: 1, name: 'uroce0', gids: ['::1'] }),
        note({ type: 'traffic', t: 2, peers, otherMessages: 0, otherBytes: 0 }),
        tick(0, {}),
        message(
          2,
          detail(
            0,
            Array.from({ length: 20 }, (_, i) => completion(100 + i, BigInt(i))),
          ),
        ),
        tick(50, {
          firstPolled: 1_000_000,
          lastPolled: 3_000_000,
          bytesAtFirst: 4096,
          received: 204_800,
        }),
        farewell(3_000_000),
      ]),
    );
    expect(work.result).toMatchObject({
      processes: 1,
      device: 'uroce0',
      messages: 50,
      bytes: 204_800,
      seconds: 0.002,
      latencyUs: { n: 20, p99: null },
      peers: ['::ffff:10.0.0.2'],
      sampled: false,
    });
    expect(work.result.latencyUs!.p50).toBeCloseTo(1.5, 2);
    expect(workText(work.result)).toBe(
      '200 KiB received in 50 successful work requests on uroce0, with 10.0.0.2. ' +
        'Average 0.803 Gb/s over the 2 ms from the first completion to the last completion. ' +
        'Latency from post to completion: p50 1.50 µs, p99, p99.9 not enough samples (n = 20).',
    );
  });

  it('takes the time of sends from the first post, and says what was done with the bytes', () => {
    const zero = { userNs: 0, systemNs: 0, nicUserNs: 0, nicKernelNs: 0, voluntary: 0, involuntary: 0 };
    const tick = note({
      type: 'tick',
      t: 3_000_000,
      ...zero,
      messages: 4,
      bytes: 6144,
      written: 4096,
      sent: 2048,
      firstPosted: 1_000_000,
      firstPolled: 2_000_000,
      lastPolled: 3_000_000,
      bytesAtFirst: 1536,
      oneAtATime: true,
    });
    const { work } = run(
      Buffer.concat([hello(CLOCK), note({ type: 'device', t: 1, name: 'uroce0', gids: ['::1'] }), tick]),
    );
    expect(work.result).toMatchObject({ seconds: 0.002, timedFrom: 'post', timedBytes: 6144 });
    expect(workText(work.result)).toMatch(
      /^4 KiB written and 2 KiB sent in 4 successful work requests, one at a time, on uroce0, .* Average 0\.0246 Gb\/s over the 2 ms from the first post to the last completion\./,
    );
  });

  it('knows which QPs its own were connected to or posted to, each pair once', () => {
    const to = (qpn: number, attrs: Record<string, string | number>) =>
      note({ type: 'qp', t: 30, qpn, from: 'INIT', to: 'RTR', attrs });
    const peer = { qpn: 18, gid: '::1', peerQpn: 34, messages: 1, bytes: 1 };
    const { work } = run(
      Buffer.concat([
        hello(CLOCK),
        to(17, { dgid: '::1', dest_qp_num: 33 }),
        to(18, {}),
        note({
          ...{ type: 'traffic', t: 40, otherMessages: 0, otherBytes: 0 },
          peers: [{ ...peer, qpn: 17, peerQpn: 33 }, peer],
        }),
        farewell(50),
      ]),
    );
    expect(work.result.connections).toEqual([
      { qpn: 17, peerQpn: 33 },
      { qpn: 18, peerQpn: 34 },
    ]);
  });

  it('keeps the first of many connections', () => {
    const many = Array.from({ length: 100 }, (_, i) =>
      note({ type: 'qp', t: 30, qpn: i, from: 'INIT', to: 'RTR', attrs: { dest_qp_num: 200 + i } }),
    );
    const { work } = run(Buffer.concat([hello(CLOCK), ...many, farewell(50)]));
    expect(work.result.connections).toHaveLength(32);
    expect(work.result.connections![0]).toEqual({ qpn: 0, peerQpn: 200 });
  });

  it('counts once what a process sends to itself, and twice nothing that comes from elsewhere', () => {
    const work = (peers: readonly (readonly [qpn: number, peerQpn: number])[]) => {
      const tally = new WorkTally();
      for (const [qpn, peer] of peers)
        tally.event({
          ...{ kind: 'qp', endpoint: 'pid 1', qpn, from: 'INIT', to: 'RTR' },
          attrs: { dest_qp_num: peer },
        });
      tally.process('pid 1', {
        ...{ messages: 2, bytes: 200, moved: { written: 0, read: 0, sent: 100, received: 100 } },
        ...{ firstPosted: 0, firstPolled: 1000, lastPolled: 2000, bytesAtFirst: 0, oneAtATime: true },
      });
      return tally.result;
    };
    const own = work([
      [17, 18],
      [18, 17],
    ]);
    expect(own).toMatchObject({ bytes: 100, timedBytes: 100, moved: { sent: 100, received: 0 } });
    expect(workText({ ...own, processes: 1, device: 'uroce0' })).toMatch(/^100 B sent in /);
    expect(workText(own)).not.toContain('both directions');
    // The QP has a peer outside the run, and may have received from there.
    expect(work([[17, 33]])).toMatchObject({ bytes: 200, moved: { sent: 100, received: 100 } });
    expect(workText(work([[17, 33]]))).toContain('both directions together');
  });

  it('says what is not known', () => {
    expect(workText(new WorkTally().result)).toBe('The program opened no RDMA device.');
    const { work } = run(Buffer.concat([hello(CLOCK), farewell(1)]));
    expect(workText({ ...work.result, processes: 1, messages: 1, bytes: 8 })).toMatch(
      /an unknown peer.* Average rate: unknown.* Latency of work requests: unknown/,
    );
  });

  describe('without a request that succeeded', () => {
    const tick = { bytes: 0, messages: 0, userNs: 0, systemNs: 0, nicUserNs: 0, nicKernelNs: 0 };
    const counters = (when: string, values: Record<string, number>): Buffer =>
      note({ type: 'counters', t: 20, when, values: { posted_sends: 0, posted_recvs: 0, ...values } });
    const said = (...notes: Buffer[]): string => {
      const opened = note({ type: 'device', t: 1, name: 'uroce0', gids: ['::1'] });
      const moved = note({ type: 'tick', t: 10, ...tick, voluntary: 0, involuntary: 0 });
      return workText(run(Buffer.concat([hello(CLOCK), opened, moved, ...notes, farewell(30)])).work.result);
    };

    it('says of a target of one-sided operations that it posted none, and what arrived', () => {
      const to = { dgid: '::ffff:10.0.0.2', dest_qp_num: 33 };
      const text = said(
        counters('before', { rcvd_pkts: 5 }),
        note({ type: 'qp', t: 15, qpn: 17, from: 'INIT', to: 'RTR', attrs: to }),
        counters('after', { rcvd_pkts: 1205 }),
      );
      expect(text).toBe(
        'The program posted no work request on uroce0 and was connected to 10.0.0.2. 1,200 packets arrived. ' +
          'One-sided operations (RDMA WRITE, RDMA READ, atomics) complete at the peer that posts them, not here.',
      );
    });

    it('tells what was refused or failed from what was not posted', () => {
      const refused = note({ type: 'failed', t: 40, call: 'ibv_post_send', errno: 22 });
      const none = 'The program polled no successful completion on uroce0.';
      expect(said(counters('after', {}))).toBe('The program posted no work request on uroce0.');
      expect(said(refused, counters('after', {}))).toBe(none);
      expect(said(counters('after', { posted_recvs: 8, rcvd_pkts: 9 }))).toBe(none);
      // The process was killed before it reported its counters: its posts are unknown.
      expect(said()).toBe(none);
    });
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
