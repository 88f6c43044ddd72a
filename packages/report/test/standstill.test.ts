/** The rules of a standstill, each over what would be recorded of one. */
import type { CallPlace, Standstill, StillCq, StillQp } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import {
  standingText,
  standstill,
  standstillLine,
  StillFacts,
  type StillAnswer,
  type TimedEvent,
} from '../src/standstill/index.js';

const S = 1e9;
const place = (line: number): CallPlace => ({
  ...{ function: 'main', object: '/home/me/app', offset: '0x10', file: '/home/me/app.c', line },
});

type Send = StillQp['send'];
type Recv = StillQp['recv'];
const send = (more: Partial<Send> = {}): Send => ({
  ...{ queued: 0, used: 0, size: 16, since: S, retries: 0, rnr: 0, rnrNow: false, stalled: false },
  ...more,
});
const recv = (more: Partial<Recv> = {}): Recv => ({
  ...{ queued: 0, size: 16, since: S, rnrSent: 0, posted: 0, where: null },
  ...more,
});
const oldest = (more: Partial<NonNullable<Send['oldest']>> = {}): NonNullable<Send['oldest']> => ({
  ...{ wrId: '250', opcode: 'SEND', length: 64, psn: 7, posted: S, sent: true, where: place(131) },
  ...more,
});
const waiting = (more: Partial<Send> = {}): Send => send({ queued: 1, used: 1, oldest: oldest(), ...more });
const qp = (more: Partial<StillQp> = {}): StillQp => ({
  ...{ qpn: 0x2397, peerQpn: 0x2398, type: 'RC', state: 'RTS', stateSince: 0, timeout: 14, retryCnt: 7 },
  ...{ rnrRetry: 7, sendCq: 1, recvCq: 2, send: send(), recv: recv() },
  ...more,
});
const cq = (more: Partial<StillCq> = {}): StillCq => ({
  ...{ number: 1, completions: 0, size: 32, polling: false, channel: false, armed: 'no' },
  ...{ events: 0, unacknowledged: 0, waiters: 0, where: null },
  ...more,
});
const unread = (more: Partial<StillCq> = {}): StillCq =>
  cq({ completions: 3, since: S, first: { qpn: 0x2397, wrId: '0', status: 'SUCCESS' }, ...more });

type Event = TimedEvent & { kind: 'standstill' };
const stands = (more: Partial<Standstill>, endpoint = 'pid 1', t = 2 * S): Event => ({
  ...{ kind: 'standstill', endpoint, t, qps: [], cqs: [], more: 0, others: 0, moved: S },
  ...more,
});
const opened = (endpoint: string): TimedEvent => ({
  ...{ kind: 'endpoint', endpoint, role: endpoint, device: 'uroce0', providerClass: 'user-space' },
  gids: ['127.0.0.1'],
});
const connected = (endpoint: string, qpn: number, peer: number): TimedEvent[] => [
  opened(endpoint),
  { kind: 'object', endpoint, phase: 'made', object: 'QP', number: qpn, call: 'ibv_create_qp', attrs: {} },
  {
    ...{ kind: 'qp', endpoint, qpn, from: 'INIT', to: 'RTR' },
    attrs: { dest_qp_num: peer, dgid: '127.0.0.1' },
  },
];
const refusedPost: TimedEvent = {
  ...{ kind: 'verb', endpoint: 'pid 1', call: 'ibv_post_send', args: {}, durationNs: 0 },
  error: { code: 'VERBS', message: 'ibv_post_send failed (ENOMEM): full', cure: '' },
};

function asked(events: TimedEvent[], now = 14 * S, ended = false): StillAnswer | null {
  const facts = new StillFacts();
  for (const event of events) facts.event(event);
  return standstill(facts, now, { ended });
}

interface Case {
  name: string;
  events: TimedEvent[];
  kind: StillAnswer['kind'];
  /** The sentence, whole. */
  says: string;
  /** Parts of what was seen, of the cure, and of what was ruled out. */
  saw?: string[];
  cure?: string;
  ruledOut?: string[];
}

const CASES: Case[] = [
  {
    name: 'no receive posted, in the same process',
    events: [
      stands({
        qps: [
          qp({ send: waiting({ rnr: 18_214, rnrNow: true }) }),
          qp({ qpn: 0x2398, peerQpn: 0x2397, recv: recv({ posted: 250, rnrSent: 9, where: place(127) }) }),
        ],
        cqs: [cq({ polling: true })],
      }),
    ],
    kind: 'rnr',
    says: 'SEND (wr_id 250) on QP 0x002397 waits for a receive on QP 0x002398 (250 posted, none left)',
    saw: ['answered with 18,214 RNR NAKs after 1.000 s', 'rnr_retry is 7', 'no error will come'],
    cure: 'Post a receive on QP 0x002398 for each message',
    ruledOut: ['The program polls CQ 1.', 'not full: 1 of 16', 'is in RTS'],
  },
  {
    name: 'no receive posted, by a peer of another run',
    events: [stands({ qps: [qp({ rnrRetry: 6, send: waiting({ rnr: 1, rnrNow: true }) })] })],
    kind: 'rnr',
    says: 'SEND (wr_id 250) on QP 0x002397 waits for a receive on QP 0x002398',
    saw: ['answered with 1 RNR NAK after', 'rnr_retry is 6: then the request fails with RNR_RETRY_EXC_ERR'],
  },
  {
    name: 'no receive left in a shared queue, whose process polls nothing',
    events: [
      stands({ qps: [qp({ send: waiting({ rnr: 5, rnrNow: true }) })] }),
      stands(
        {
          qps: [
            qp({
              qpn: 0x2398,
              peerQpn: 0x2397,
              recv: { ...recv({ rnrSent: 5, srq: 1 }), posted: undefined },
            }),
          ],
          cqs: [unread({ number: 4 })],
        },
        'pid 2',
      ),
    ],
    kind: 'rnr',
    says: 'SEND (wr_id 250) on QP 0x002397 waits for a receive on QP 0x002398 (none left in SRQ 1)',
    saw: ['CQ 4 of pid 2 holds 3 completions that it has not polled.'],
    cure: 'Post a receive on SRQ 1',
  },
  {
    name: 'no answer, without a timeout',
    events: [
      stands({
        qps: [qp({ timeout: 0, why: 'it is in state ERR', cure: 'Look there.', send: waiting() })],
        cqs: [cq({ polling: true })],
      }),
    ],
    kind: 'ack',
    says: 'SEND (wr_id 250) on QP 0x002397 waits for an acknowledgment from QP 0x002398: it is in state ERR',
    saw: ['timeout is 0: the device waits without a limit', 'has acknowledged nothing after 1.000 s'],
    cure: 'Look there. Set timeout of ibv_modify_qp to 1 or more',
    ruledOut: ['No RNR NAK came after 1.000 s.', 'CQ 1 holds no completion'],
  },
  {
    name: 'no response, within a long timeout',
    events: [
      stands({
        qps: [qp({ timeout: 21, send: waiting({ retries: 2, oldest: oldest({ opcode: 'RDMA_READ' }) }) })],
      }),
    ],
    kind: 'ack',
    says: 'READ (wr_id 250) on QP 0x002397 waits for the response from QP 0x002398',
    saw: ['timeout 21 (8.59 s), 2 retries of 7 used: then the request fails with RETRY_EXC_ERR'],
  },
  {
    name: 'a peer whose process has ended',
    events: [
      ...connected('pid 1', 0x2397, 0x2398),
      ...connected('pid 2', 0x2398, 0x2397),
      { ...stands({}, 'pid 2', S), over: true },
      stands({ qps: [qp({ timeout: 0, send: waiting() })] }),
    ],
    kind: 'ack',
    says: 'SEND (wr_id 250) on QP 0x002397 waits for an acknowledgment from QP 0x002398: its process (pid 2) has ended',
    cure: 'Find out why the peer ended.',
  },
  {
    name: 'a request that was not sent: no room on the path',
    events: [stands({ qps: [qp({ send: waiting({ stalled: true, oldest: oldest({ sent: false }) }) })] })],
    kind: 'unsent',
    says: 'SEND (wr_id 250) on QP 0x002397 waits for room on the path to QP 0x002398',
    saw: ['No packet of the request was sent.'],
  },
  {
    name: 'a request that was not sent: SQD',
    events: [stands({ qps: [qp({ state: 'SQD', send: waiting({ oldest: oldest({ sent: false }) }) })] })],
    kind: 'unsent',
    says: 'SEND (wr_id 250) on QP 0x002397 waits for the end of SQD: QP 0x002397 begins no request in that state',
    cure: 'Bring the QP back to RTS',
  },
  {
    name: 'events that are not acknowledged',
    events: [
      stands({
        acks: {
          ...{ call: 'ibv_destroy_cq', acknowledge: 'ibv_ack_cq_events', events: 1, since: S },
          where: place(40),
        },
      }),
    ],
    kind: 'events',
    says: 'ibv_destroy_cq waits until the program acknowledges 1 event with ibv_ack_cq_events',
    cure: 'Call ibv_ack_cq_events for every event',
  },
  {
    name: 'a send queue full of unsignaled requests',
    events: [refusedPost, stands({ qps: [qp({ send: send({ used: 16 }) })], cqs: [cq({ polling: true })] })],
    kind: 'full',
    says: 'QP 0x002397 takes no more requests: 16 of 16 entries of its send queue are used by requests that have completed unsignaled',
    saw: ['refused with ENOMEM'],
    cure: 'IBV_SEND_SIGNALED',
  },
  {
    name: 'a send queue full because its completions are not polled',
    events: [refusedPost, stands({ qps: [qp({ send: send({ used: 16 }) })], cqs: [unread()] })],
    kind: 'unpolled',
    says: 'CQ 1 holds 3 completions that the program has not polled, the first of wr_id 0 on QP 0x002397 (SUCCESS)',
    saw: ['has never polled this CQ', 'The send queue of QP 0x002397 is full (16)', 'refused with ENOMEM'],
  },
  {
    name: 'a CQ that was polled, and no more',
    events: [stands({ cqs: [unread({ polled: 3 * S, completions: 32 })] })],
    kind: 'unpolled',
    says: 'CQ 1 holds 32 completions that the program has not polled, the first of wr_id 0 on QP 0x002397 (SUCCESS)',
    saw: ['polled it last at 3.000 s', 'The CQ is full (32)'],
  },
  {
    name: 'a CQ that was armed too late',
    events: [stands({ cqs: [unread({ channel: true, armed: 'all', waiters: 1 })] })],
    kind: 'unpolled',
    says: 'CQ 1 holds 3 completions that the program has not polled, the first of wr_id 0 on QP 0x002397 (SUCCESS)',
    saw: ['ibv_req_notify_cq came after these completions', '1 thread waits in ibv_get_cq_event'],
    cure: 'After ibv_req_notify_cq, poll the CQ until it is empty',
  },
  {
    name: 'a CQ armed for solicited completions',
    events: [stands({ cqs: [unread({ channel: true, armed: 'solicited' })] })],
    kind: 'unpolled',
    says: 'CQ 1 holds 3 completions that the program has not polled, the first of wr_id 0 on QP 0x002397 (SUCCESS)',
    saw: ['solicited completions only'],
    cure: 'IBV_SEND_SOLICITED',
  },
  {
    name: 'an event of a CQ that is not taken',
    events: [stands({ cqs: [unread({ channel: true, events: 1 })] })],
    kind: 'unpolled',
    says: 'CQ 1 holds 3 completions that the program has not polled, the first of wr_id 0 on QP 0x002397 (SUCCESS)',
    saw: ['1 event of the CQ waits in the completion channel'],
  },
  {
    name: 'a QP in ERR',
    events: [
      {
        ...{ kind: 'completion', endpoint: 'pid 1', t: S },
        wc: {
          ...{ wrId: 6, status: 10, statusName: 'REM_ACCESS_ERR', opcode: '', vendorErr: 0, byteLen: 0 },
          qpn: 0x2397,
        },
      },
      stands({ qps: [qp({ state: 'ERR', stateSince: S })], cqs: [cq({ polling: true })] }),
    ],
    kind: 'error',
    says: 'QP 0x002397 is in ERR: it neither sends nor receives; wr_id 6 failed with REM_ACCESS_ERR',
    saw: ['polled the failed completion at 1.000 s', 'The program polls CQ 1.'],
  },
  {
    name: 'receives whose peer has ended',
    events: [
      ...connected('pid 1', 0x2397, 0x2398),
      ...connected('pid 2', 0x2398, 0x2397),
      { kind: 'counter', endpoint: 'pid 2', t: S, when: 'after', values: {} },
      stands({ qps: [qp({ recv: recv({ queued: 4 }) })] }),
    ],
    kind: 'peer-gone',
    says: '4 receives on QP 0x002397 wait for a message from QP 0x002398, but its process (pid 2) has ended',
  },
];

describe('a program that stands still', () => {
  it.each(CASES)('$name', ({ events, kind, says, saw = [], cure = '', ruledOut = [] }) => {
    const answer = asked(events);
    expect(answer).toMatchObject({ kind, state: 'stuck', sentence: says, endpoint: 'pid 1', since: S });
    const all = answer!.saw.join('\n');
    for (const part of saw) expect(all).toContain(part);
    expect(answer!.cure).toContain(cure);
    for (const part of ruledOut) expect(answer!.ruledOut.join('\n')).toContain(part);
  });

  it('says it in one line, with the time, the place and the cure', () => {
    const answer = asked([stands({ qps: [qp({ send: waiting({ rnr: 2, rnrNow: true }) })] })])!;
    expect(standstillLine(answer)).toBe(
      'Stuck for 13 s: SEND (wr_id 250) on QP 0x002397 waits for a receive on QP 0x002398. The request was posted by main, app.c:131. Post a receive on QP 0x002398 for each message, before it is sent.',
    );
    expect(standingText({ ...answer, at: 400 * S })).toBe('Stuck for 6 min');
  });

  it('tells how a process stood that was killed', () => {
    const over: TimedEvent = {
      ...stands({ qps: [qp({ send: waiting({ rnr: 2, rnrNow: true }) })] }, 'pid 1', 9 * S),
      over: true,
    };
    expect(asked([over])).toBeNull();
    expect(standingText(asked([over], 99 * S, true)!)).toBe('Stuck for 8.0 s when it ended');
  });
});

describe('a program that does not stand still', () => {
  const silent: [string, TimedEvent[], number?][] = [
    ['says nothing', []],
    ['moves again', [stands({ cqs: [unread()] }), stands({})]],
    ['waits for less than 5 s', [stands({ cqs: [unread()] })], 5.9 * S],
    ['does not poll one CQ, but works', [stands({ cqs: [unread()], moved: 13.5 * S })]],
    ['has a QP in ERR, but works', [stands({ qps: [qp({ state: 'ERR' })], moved: 13.5 * S })]],
    [
      'has a full send queue, and posts no more',
      [stands({ qps: [qp({ send: send({ used: 16 }) })], cqs: [cq()] })],
    ],
    ['has ended', [{ ...stands({ cqs: [unread()] }), over: true }]],
  ];
  it.each(silent)('if it %s', (_, events, now) => {
    expect(asked(events, now)).toBeNull();
  });

  it('but waits, if its receives wait for a message of a peer that lives', () => {
    const answer = asked([
      ...connected('pid 1', 0x2397, 0x2398),
      ...connected('pid 2', 0x2398, 0x2397),
      stands({ qps: [qp({ recv: recv({ queued: 1 }) })] }),
    ]);
    expect(answer).toMatchObject({
      ...{ state: 'waiting', kind: 'receive' },
      sentence: '1 receive on QP 0x002397 waits for a message from QP 0x002398',
    });
    expect(standingText(answer!)).toBe('Waiting for 13 s');
  });
});
