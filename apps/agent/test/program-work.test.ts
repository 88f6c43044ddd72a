/** What the processes of a run moved, how fast and with whom, and how the run says it. */
import { describe, expect, it } from 'vitest';
import { WorkTally } from '../src/program/work-tally.js';
import { workText } from '../src/program/work-text.js';
import { completion, detail, farewell, hello, message, note, opened, tick } from './helpers/feed.js';
import { CLOCK, run } from './helpers/run-feed.js';

describe('the work of a program', () => {
  it('sums up what was moved, how fast and with whom', () => {
    const at = (messages: number, more: object): Buffer =>
      tick(10, { bytes: messages * 4096, messages, ...more });
    const peers = [{ qpn: 17, gid: '::ffff:10.0.0.2', peerQpn: 1, messages: 3, bytes: 3 }];
    const { work } = run(
      Buffer.concat([
        hello(CLOCK),
        opened,
        note({ type: 'traffic', t: 2, peers, otherMessages: 0, otherBytes: 0 }),
        at(0, {}),
        message(
          2,
          detail(
            0,
            Array.from({ length: 20 }, (_, i) => completion(100 + i, BigInt(i))),
          ),
        ),
        at(50, {
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
    const moved = tick(3_000_000, {
      ...{ messages: 4, bytes: 6144, written: 4096, sent: 2048 },
      ...{ firstPosted: 1_000_000, firstPolled: 2_000_000, lastPolled: 3_000_000 },
      ...{ bytesAtFirst: 1536, oneAtATime: true },
    });
    const { work } = run(Buffer.concat([hello(CLOCK), opened, moved]));
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
    const counters = (when: string, values: Record<string, number>): Buffer =>
      note({ type: 'counters', t: 20, when, values: { posted_sends: 0, posted_recvs: 0, ...values } });
    const said = (...notes: Buffer[]): string => {
      const bytes = Buffer.concat([hello(CLOCK), opened, tick(10), ...notes, farewell(30)]);
      return workText(run(bytes).work.result);
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
});
