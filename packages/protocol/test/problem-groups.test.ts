import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Connections,
  counterFaults,
  groupProblems,
  ProblemTally,
  type EndpointFault,
  type ProblemPart,
  type RunEvent,
} from '../src/index.js';

const finding = (id: string, request: object | undefined, more: object = {}): ProblemPart =>
  ({ kind: 'finding', id, count: 1, detail: '', request, ...more }) as unknown as ProblemPart;
const about = { qpn: 17, peerQpn: 18, opcode: 'RDMA_WRITE', length: 1 };
const refused = finding('request-refused', about);
const failed = finding('request-failed', { ...about, wrId: '19' });
const wc = (qpn: number, status = 10, more: object = {}): ProblemPart =>
  ({ kind: 'completion', wc: { status, qpn }, ...more }) as unknown as ProblemPart;
const async_ = (qpn: number, more: object = {}): ProblemPart => ({
  kind: 'async',
  event: 'QP_ACCESS_ERR',
  qpn,
  ...more,
});
const call = (name: string, message: string, endpoint = 'pid 1'): ProblemPart =>
  ({ kind: 'verb', call: name, endpoint, error: { message } }) as unknown as ProblemPart;

const moved = (endpoint: string, values: Record<string, number>): EndpointFault[] =>
  counterFaults(null, values).map((fault) => ({ ...fault, endpoint }));

/** Pairs of QPs with the endpoints that connected them, and when. */
function connected(...ends: [endpoint: string, qpn: number, peerQpn: number, t?: number][]): Connections {
  const connections = new Connections();
  for (const [endpoint, qpn, dest_qp_num, t = 0] of ends)
    connections.add(endpoint, { qpn, attrs: { dest_qp_num }, t });
  return connections;
}
const group = (
  problems: ProblemPart[],
  faults: EndpointFault[] = [],
  connections = new Connections(),
): ProblemPart[][] => groupProblems(problems, faults, connections).map(({ parts }) => parts);

describe('the problems of a run', () => {
  it('have one entry for all about one request: event, completion, and the findings of both sides', () => {
    const parts = [async_(18), wc(17), refused, failed];
    expect(groupProblems(parts, [], new Connections())).toEqual([
      { failed, refused, parts, faults: [], cause: null },
    ]);
  });

  it('have one entry for each reason of a refused call, as the report and the call tell it', () => {
    const reasons = ['ah_attr.is_global is 0', 'path_mtu is 1024, which is no value of enum ibv_mtu'];
    const calls = reasons.map((why) => call('ibv_modify_qp', `ibv_modify_qp failed: ${why} (EINVAL).`));
    const found = reasons.map((detail) =>
      finding('call-refused', undefined, { call: 'ibv_modify_qp', detail, endpoint: 'pid 1' }),
    );
    // The order differs from that of the calls: the text decides.
    expect(group([...calls, ...found.toReversed()])).toEqual([
      [calls[0], found[0]],
      [calls[1], found[1]],
    ]);
  });

  it('have one entry for a full queue, and for PSNs that differ at both ends', () => {
    const why = 'all 8 entries of the send queue are in use (max_send_wr)';
    const state = call('ibv_post_send', 'the QP is in state INIT, and sends need RTS');
    const posts = call('ibv_post_send', `ibv_post_send failed: ${why} (ENOMEM).`);
    const full = finding('queue-full', undefined, {
      ...{ call: 'ibv_post_send', endpoint: 'pid 1' },
      detail: `${why}, and wr_id 108 was not posted again`,
    });
    expect(group([state, posts, full])).toEqual([[state], [posts, full]]);
    const mismatch = (endpoint: string, object: string): ProblemPart =>
      finding('psn-mismatch', undefined, { endpoint, object });
    const ends = [mismatch('client', 'QP 0x000011'), mismatch('server', 'QP 0x000012')];
    expect(group(ends, [], connected(['client', 17, 18], ['server', 18, 17]))).toEqual([ends]);
  });

  it('have the counter that a dropped message moved, and RNR NAKs have the ACK timeouts between them', () => {
    const qkey = finding('message-dropped', undefined, { counter: 'qkey_violations', detail: 'a' });
    const long = finding('message-dropped', undefined, { counter: 'send_err', detail: 'b' });
    const faults = moved('pid 1', { qkey_violations: 2, send_err: 1 });
    const groups = groupProblems([qkey, long], faults, new Connections());
    expect(groups.map(({ parts, cause }) => [parts, cause])).toEqual([
      [[qkey], 'qkey'],
      [[long], 'local'],
    ]);
    const rnr = moved('pid 1', { rcvd_rnr_err: 900, local_ack_timeout_err: 1, retransmitted_pkts: 900 });
    expect(groupProblems([], rnr, new Connections()).map(({ cause }) => cause)).toEqual(['receive']);
  });

  it('are apart for requests of other QPs, and for items without a connection', () => {
    const other = finding('request-failed', { qpn: 21, peerQpn: 22, opcode: 'SEND', length: 1 });
    expect(group([wc(17), failed, wc(21), other, wc(30), async_(31)])).toEqual([
      [wc(17), failed],
      [wc(21), other],
      [wc(30)],
      [async_(31)],
    ]);
  });

  it('take a bad SGE and the completion that it caused for one', () => {
    const sge = finding('sge-outside-mr', { qpn: 17, opcode: 'SEND', length: 1, wrId: '3' });
    expect(group([sge, wc(17)])).toEqual([[sge, wc(17)]]);
  });

  it('join the two ends of a connection that the run saw made, each time it was made', () => {
    const connections = connected(
      ['client', 17, 18],
      ['server', 18, 17],
      ['client', 17, 18, 100],
      ['server', 18, 17, 110],
    );
    const at = (t: number): ProblemPart[] => [
      wc(17, 10, { endpoint: 'client', t }),
      async_(18, { endpoint: 'server', t }),
    ];
    expect(group([...at(50), ...at(150)], [], connections)).toEqual([at(50), at(150)]);
    // Equal QPNs of another pair of endpoints.
    const others = connected(['client', 17, 18], ['other', 17, 20]);
    expect(
      group([wc(17, 10, { endpoint: 'client' }), async_(17, { endpoint: 'other' })], [], others),
    ).toHaveLength(2);
  });

  it('are one for a call that fails again and again, with the misuse that it is', () => {
    const calls = [17, 18].map((qpn) => call('ibv_post_send', `QP ${qpn} is in RESET.`));
    const misuse = finding('post-wrong-state', undefined, { endpoint: 'pid 1', call: 'ibv_post_send' });
    const second = finding('post-wrong-state', undefined, { endpoint: 'pid 1', call: 'ibv_post_send' });
    const elsewhere = call('ibv_post_send', 'QP 3 is in RESET.', 'pid 2');
    const full = call('ibv_post_send', 'The send queue is full (ENOMEM).');
    expect(group([misuse, ...calls, elsewhere])).toEqual([[misuse, ...calls], [elsewhere]]);
    expect(group([...calls, full, misuse, second])).toEqual([
      [...calls, misuse],
      [full, second],
    ]);
  });

  it('are one for all that one process left behind', () => {
    const leak = (endpoint: string): ProblemPart =>
      finding('object-leaked', undefined, { count: 2, endpoint });
    const late = wc(17, 10, { endpoint: 'pid 1' });
    expect(group([leak('pid 1'), leak('pid 2'), leak('pid 1'), late])).toEqual([
      [late],
      [leak('pid 1'), leak('pid 1')],
      [leak('pid 2')],
    ]);
  });

  it('are one for all counters that a loss moves, at both ends', () => {
    const faults = [
      ...moved('client', { local_ack_timeout_err: 1, retransmitted_pkts: 9, completer_retry_err: 1 }),
      ...moved('server', { out_of_sequence: 3 }),
    ];
    const [one, ...more] = groupProblems([], faults, new Connections());
    expect(more).toEqual([]);
    expect(one).toMatchObject({ cause: 'loss', parts: [] });
    expect(one!.faults).toHaveLength(4);
  });

  it('know retransmissions after RNR NAKs from those after a loss', () => {
    const rnr = { rnr_nak_retry_err: 4, retransmitted_pkts: 9 };
    const causes = (values: Record<string, number>) =>
      groupProblems([], moved('client', values), new Connections()).map(({ cause, faults }) => [
        cause,
        faults.map(({ name }) => name),
      ]);
    expect(causes(rnr)).toEqual([['receive', ['retransmitted_pkts', 'rnr_nak_retry_err']]]);
    expect(causes({ ...rnr, packet_seq_err: 1 })).toEqual([
      ['loss', ['retransmitted_pkts', 'packet_seq_err']],
      ['receive', ['rnr_nak_retry_err']],
    ]);
    expect(causes({ retransmitted_pkts: 1 })).toEqual([['loss', ['retransmitted_pkts']]]);
    expect(causes({ dropped_messages: 1 })).toEqual([['message', ['dropped_messages']]]);
    expect(causes({ dropped_messages: 1, icrc_errors: 1 })).toEqual([
      ['loss', ['dropped_messages', 'icrc_errors']],
    ]);
  });

  it('give the counters to the request that failed for the same reason', () => {
    const storm = finding('rnr-storm-received', undefined, { endpoint: 'client' });
    const problems = [storm, wc(17, 13, { endpoint: 'client' }), wc(30, 10)];
    const faults = [
      ...moved('client', { retry_rnr_exceeded_err: 1, rcvd_rnr_err: 40, retransmitted_pkts: 40 }),
      ...moved('server', { send_rnr_err: 40, qkey_violations: 1 }),
    ];
    const groups = groupProblems(problems, faults, new Connections());
    expect(groups.map(({ parts, faults: own }) => [parts.length, own.map(({ name }) => name)])).toEqual([
      [2, ['retry_rnr_exceeded_err', 'retransmitted_pkts', 'rcvd_rnr_err', 'send_rnr_err']],
      [1, []],
      [0, ['qkey_violations']],
    ]);
  });

  it('take a completion that was not polled for the one of the request that failed', () => {
    const unpolled = finding('completion-error-unpolled', undefined, { endpoint: 'pid 1' });
    const request = finding('request-failed', about, { endpoint: 'pid 1' });
    expect(group([unpolled, request])).toEqual([[unpolled, request]]);
    expect(group([unpolled, refused])).toHaveLength(2);
  });

  const qpn = fc.integer({ min: 1, max: 4 });
  const endpoint = fc.constantFrom('pid 1', 'pid 2');
  const anyProblem: fc.Arbitrary<ProblemPart> = fc.oneof(
    fc
      .tuple(qpn, endpoint, fc.constantFrom(1, 4, 10, 12, 13))
      .map(([n, at, s]) => wc(n, s, { endpoint: at })),
    fc.tuple(qpn, endpoint).map(([n, at]) => async_(n, { endpoint: at })),
    fc
      .tuple(qpn, qpn, endpoint, fc.constantFrom('request-failed', 'request-refused'))
      .map(([a, b, at, id]) => finding(id, { ...about, qpn: a, peerQpn: b }, { endpoint: at })),
    fc
      .tuple(
        endpoint,
        fc.constantFrom('object-leaked', 'post-invalid', 'rnr-storm-sent', 'completion-error-unpolled'),
      )
      .map(([at, id]) => finding(id, undefined, { endpoint: at, call: 'ibv_post_send' })),
    fc
      .tuple(endpoint, fc.constantFrom('A', 'B 1', 'B 2'))
      .map(([at, text]) => call('ibv_post_send', text, at)),
  );
  const counters = fc.record({
    retransmitted_pkts: fc.nat(1),
    packet_seq_err: fc.nat(1),
    send_rnr_err: fc.nat(1),
    send_err: fc.nat(1),
  });

  it('have each event and each counter in exactly one, in order, however they come', () => {
    fc.assert(
      fc.property(fc.array(anyProblem), counters, (problems, values) => {
        const faults = moved('pid 1', values);
        const groups = groupProblems(problems, faults, connected(['pid 1', 1, 2], ['pid 2', 2, 1]));
        const places = groups.map(({ parts }) => parts.map((one) => problems.indexOf(one)));
        expect(places.flat().sort((a, b) => a - b)).toEqual(
          problems.map((one) => problems.indexOf(one)).sort((a, b) => a - b),
        );
        expect(groups.flatMap((one) => one.faults.map(({ name }) => name)).sort()).toEqual(
          faults.map(({ name }) => name).sort(),
        );
        expect(groups.every(({ parts, faults: own }) => parts.length + own.length > 0)).toBe(true);
        expect(places.every((own) => own.every((place, i) => i === 0 || own[i - 1]! <= place))).toBe(true);
      }),
    );
  });

  it('are counted over a stream whose endpoints report late', () => {
    const tally = new ProblemTally();
    const take = (event: object): void => tally.take(event as { kind: string } & Partial<RunEvent>);
    take({ kind: 'qp', endpoint: 'server', qpn: 18, t: 1, attrs: { dest_qp_num: 17 } });
    take(async_(18, { endpoint: 'server', t: 5 }));
    take(finding('object-leaked', undefined, { count: 7, endpoint: 'client', t: 9 }));
    take({ kind: 'qp', endpoint: 'client', qpn: 17, t: 2, attrs: { dest_qp_num: 18 } });
    take(wc(17, 10, { endpoint: 'client', t: 4 }));
    expect(tally.count).toBe(2);
  });
});
