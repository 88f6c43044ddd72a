import { describe, expect, it } from 'vitest';
import {
  callFailed,
  counterFaults,
  isProblem,
  problemsText,
  ProblemTally,
  type EmittedEvent,
  type Intended,
} from '../src/index.js';

const wc = (status: number): EmittedEvent =>
  ({ kind: 'completion', wc: { status } }) as unknown as EmittedEvent;
const counter = (when: 'before' | 'sample', values: Record<string, number>): EmittedEvent => ({
  kind: 'counter',
  when,
  values,
});

describe('what a problem is', () => {
  it.each<[string, EmittedEvent, boolean]>([
    ['a completion that succeeded', wc(0), false],
    ['a completion with an error', wc(12), true],
    ['a flush at the end of a connection', wc(5), false],
    ['an asynchronous event of an error', { kind: 'async', event: 'QP_ACCESS_ERR' }, true],
    ['an asynchronous event of progress', { kind: 'async', event: 'COMM_EST' }, false],
    ['a limit that was asked for', { kind: 'async', event: 'SRQ_LIMIT_REACHED' }, false],
    ['a check that holds', { kind: 'check', id: 'a', ok: true, detail: '' }, false],
    ['a check that does not', { kind: 'check', id: 'a', ok: false, detail: '' }, true],
    ['a call that worked', { kind: 'verb', call: 'ibv_poll_cq', args: {}, durationNs: 1 }, false],
    ['a note', { kind: 'note', text: 'all is well' }, false],
  ])('%s', (_, event, is) => {
    expect(isProblem(event)).toBe(is);
  });

  it('is not that an entry of a GID table is empty', () => {
    const verb = (call: string, errno: number) => ({
      kind: 'verb' as const,
      call,
      args: {},
      durationNs: 0,
      error: callFailed('VERBS', call, errno).info,
    });
    expect(isProblem(verb('ibv_query_gid_ex', 61))).toBe(false);
    expect(isProblem(verb('ibv_query_gid_ex', 22))).toBe(true);
    expect(isProblem(verb('ibv_query_gid', 61))).toBe(true);
  });

  it('counts error counters that moved, each kind once, by whatever name the device has for it', () => {
    const before = { local_ack_timeout_err: 2, sent_pkts: 1 };
    const now = {
      local_ack_timeout_err: 5,
      sent_pkts: 9,
      rcvd_rnr_err: 4,
      rnr_nak_retry_err: 4,
      acks_sent: 3,
    };
    expect(counterFaults(before, now)).toMatchObject([
      { name: 'local_ack_timeout_err', count: 3, what: 'ACK timeouts', lost: false },
      { count: 4, what: 'RNR NAKs received' },
    ]);
    expect(counterFaults(null, { retry_exceeded_err: 1 })).toMatchObject([{ count: 1, lost: true }]);
    expect(counterFaults(now, now)).toEqual([]);
  });

  it('takes send_err of rxe for packets that were not sent, and that of the embedded device for refused requests', () => {
    // rxe counts how often its port went down; the embedded device has no such counter.
    expect(counterFaults({ send_err: 1, link_downed: 0 }, { send_err: 3, link_downed: 0 })).toMatchObject([
      { name: 'send_err', count: 2, cause: 'loss', what: 'packets refused by the kernel', lost: false },
    ]);
    expect(counterFaults({ send_err: 1 }, { send_err: 3 })).toMatchObject([
      { name: 'send_err', count: 2, cause: 'local', what: 'work requests refused', lost: true },
    ]);
  });

  it('is counted over a run, with the latest counters of each endpoint', () => {
    const tally = new ProblemTally();
    tally.take(counter('before', { retransmitted_pkts: 7 }), 'client');
    tally.take(counter('sample', { retransmitted_pkts: 8 }), 'client');
    tally.take(counter('sample', { retransmitted_pkts: 9 }), 'client');
    tally.take({ ...counter('sample', { retransmitted_pkts: 1 }), endpoint: 'server' });
    tally.take(wc(10));
    tally.take(wc(5));
    // The loss, which both ends count, and the request.
    expect(tally.count).toBe(2);
  });

  it('is not what a lab announced that it causes at these endpoints', () => {
    const refused = (call: string, errno: string): EmittedEvent => ({
      kind: 'verb',
      call,
      args: {},
      durationNs: 1,
      error: { code: 'VERBS', message: `${call} failed: an argument is invalid (${errno}).`, cure: '' },
    });
    const seen: [EmittedEvent, string][] = [
      [wc(10), 'client'],
      [wc(10), 'client-12'],
      [{ kind: 'async', event: 'QP_ACCESS_ERR' }, 'server'],
      [refused('ibv_reg_mr', 'EINVAL'), 'server'],
      [counter('sample', { rcvd_rnr_err: 4, rnr_nak_retry_err: 4 }), 'client'],
    ];
    const others: [EmittedEvent, string][] = [
      [wc(10), 'server'],
      [wc(12), 'client'],
      [{ kind: 'async', event: 'QP_FATAL' }, 'server'],
      [refused('ibv_reg_mr', 'ENOMEM'), 'server'],
      [refused('ibv_create_qp', 'EINVAL'), 'server'],
      [{ kind: 'check', id: 'a', ok: false, detail: '' }, ''],
      [counter('sample', { local_ack_timeout_err: 1, rcvd_rnr_err: 1 }), 'server'],
    ];
    const tally = new ProblemTally();
    tally.take({
      kind: 'intended',
      refusals: [
        // Another device has another name for this counter.
        { role: 'client', statuses: [10], counters: ['rnr_nak_retry_err'] },
        { role: 'server', events: ['QP_ACCESS_ERR'], calls: [{ call: 'ibv_reg_mr', errno: 'EINVAL' }] },
      ],
    });
    for (const [event, endpoint] of seen) tally.take(event, endpoint);
    expect(tally.count).toBe(0);
    for (const [event, endpoint] of others) tally.take(event, endpoint);
    // Both counters of the server have causes of their own, and the timeout is that of the request that was given up.
    expect(tally.count).toBe(6 + 1);
  });

  it('is what a lab causes more often than it announced, at each endpoint', () => {
    const tally = new ProblemTally();
    const intended = (...refusals: Intended[]): void => tally.take({ kind: 'intended', refusals });
    intended({ role: 'client', most: 1, statuses: [10, 12] }, { role: 'server', events: ['QP_ACCESS_ERR'] });
    for (const endpoint of ['client-1', 'client-2', 'client-2']) tally.take(wc(10), endpoint);
    tally.take(wc(12), 'client-1');
    const event: EmittedEvent = { kind: 'async', event: 'QP_ACCESS_ERR' };
    for (let i = 0; i < 3; i++) tally.take(event, 'server');
    expect(tally.count).toBe(1);
    // Bounds add up, also when the announcement comes after the error.
    intended({ role: 'client', most: 2, statuses: [10] });
    expect(tally.count).toBe(0);
    for (let i = 0; i < 2; i++) tally.take(wc(10), 'client-2');
    expect(tally.count).toBe(1);
  });

  it('is said in words', () => {
    expect([undefined, 0, 1, 9].map(problemsText)).toEqual(['', '', '1 problem', '9 problems']);
  });
});
