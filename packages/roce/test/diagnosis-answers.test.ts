// The diagnosis of answers: NAKs, RNR NAKs, and ACKs that are cut, early or missing.
import { describe, expect, it } from 'vitest';
import { RC } from '../src/index.js';
import { good, ids, one, start } from './lib/diagnosis.js';
import { expectRight, KIB } from './lib/right.js';
import { ack, diagnose, MS, NAK, RNR, S, send, US, write, writes, type Sent } from './lib/traffic.js';

const other = (t: number): Sent[] => [
  write(t, 1, 4, { qp: 0x99 }),
  ack(t + 5 * US, 1, 1, 0x1f, { qp: 0x98 }),
];
const end = (sent: readonly Sent[]): number => sent.at(-1)!.t;

describe('answers behind WRITEs of four packets', () => {
  it.each([
    [1, 'nak-invalid-request'],
    [2, 'nak-remote-access'],
    [3, 'nak-remote-operational'],
    [4, 'nak-invalid-rd'],
    [9, 'nak-reserved'],
  ])('NAK %i is %s', (code, id) => {
    const found = one(
      start()
        .write(104, 1)
        .response(RC.acknowledge, 104, NAK | code)
        .diagnose(),
      id,
    );
    expect(found).toMatchObject({ severity: 'error', packets: [7], total: 1 });
    expect(found.cure).not.toBe('');
  });

  it('RNR NAKs: one is no storm, three are, and the time that they cost is counted', () => {
    const once = good(
      start()
        .write(104, 4)
        .response(RC.acknowledge, 104, RNR | 1)
        .wait(10_000),
      104,
    );
    const single = one(once.diagnose(), 'rnr');
    expect(single).toMatchObject({ packets: [10], total: 1 });
    expect(single.text).not.toContain('storm');

    const wire = start().write(104, 4);
    for (let i = 0; i < 5; i++)
      wire
        .response(RC.acknowledge, 104, RNR | 1)
        .wait(100_000)
        .write(104, 4);
    const storm = one(wire.response(RC.acknowledge, 107).diagnose(), 'rnr');
    expect(storm.text).toMatch(/1 request of .*: 5 RNR NAKs, in 1 storm of 3 or more .* 5 in 52\d µs/);
    expect(storm.total).toBe(5);
    expect(storm.why).toContain('20 packets were sent again because of them');
    expect(ids(wire.diagnose())).not.toContain('retransmission-timeout');

    const never = start()
      .write(104, 1)
      .response(RC.acknowledge, 104, RNR | 1);
    expect(one(never.diagnose(), 'rnr').why).toContain(
      'does not show that the last refused request was accepted',
    );
  });

  it('a request without an answer is a warning only if the capture goes on', () => {
    expect(one(start().write(104, 4).diagnose(), 'unanswered')).toMatchObject({
      severity: 'note',
      packets: [9],
    });
    const wire = start().write(104, 4).wait(500_000_000);
    wire.records.push({
      ...wire.records[0]!,
      timeNs: wire.records.at(-1)!.timeNs + 500_000_000n,
      data: new Uint8Array(60),
    });
    expect(one(wire.diagnose(), 'unanswered')).toMatchObject({ severity: 'warning' });
  });
});

describe('answers', () => {
  it.each([
    [1, 'nak-invalid-request', 'IBV_WC_REM_INV_REQ_ERR'],
    [2, 'nak-remote-access', 'IBV_WC_REM_ACCESS_ERR'],
    [3, 'nak-remote-operational', 'IBV_WC_REM_OP_ERR'],
  ])('NAK %i is the answer of what it refuses', (code, id, status) => {
    const sent = writes({ packets: 20 });
    const t = end(sent);
    sent.push(write(t + 5 * US, 120), ack(t + 10 * US, 120, 5, NAK | code));
    for (const capture of [sent, [...sent, ...other(t + 2 * S)]]) {
      const diagnosis = diagnose(capture);
      const good = 20 * KIB + 64 + (capture === sent ? 0 : 4);
      expectRight(diagnosis, { found: [id], good, refused: 1, messages: capture === sent ? 5 : 6 });
      expect(one(diagnosis, id).cure).toContain(status);
    }
  });

  it('RNR NAKs until the requester gives up are one, too', () => {
    const sent = writes({ packets: 20 });
    let t = end(sent);
    for (let i = 0; i < 4; i++, t += 700 * US)
      sent.push(send(t + 5 * US, 120), ack(t + 10 * US, 120, 5, RNR | 12));
    const diagnosis = diagnose([...sent, ...other(t + 2 * S)]);
    expectRight(diagnosis, { found: ['rnr'], good: 20 * KIB + 68, resent: 3, refused: 1, messages: 6 });
    expect(one(diagnosis, 'rnr').why).toContain('IBV_WC_RNR_RETRY_EXC_ERR');
  });

  it('RNR NAKs with timer 0 get the advice to shorten it', () => {
    const sent = [0, 1, 2].flatMap((i) => [send(i * 656 * MS, 50), ack(i * 656 * MS + 5 * US, 50, 0, RNR)]);
    sent.push(send(3 * 656 * MS, 50), ack(3 * 656 * MS + 5 * US, 50, 1));
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: ['rnr'], good: 64, resent: 3, messages: 1 });
    expect(one(diagnosis, 'rnr').cure).toContain('655.36 ms');
    expect(one(diagnosis, 'rnr').cure).not.toContain('larger min_rnr_timer');
  });

  it('a NAK that nobody answers by sending again is said', () => {
    const sent = writes({ packets: 20 });
    const t = end(sent);
    sent.push(send(t + 5 * US, 121), ack(t + 10 * US, 120, 5, NAK), ...other(t + S));
    const diagnosis = diagnose(sent);
    expect(one(diagnosis, 'unanswered').text).toContain('asked with a NAK');
  });

  it('that are cut before the syndrome say nothing about the cause', () => {
    const diagnosis = diagnose(writes({ packets: 80, lose: [61] }), 40);
    expectRight(diagnosis, {
      found: ['retransmission-cut', 'gap-resent'],
      good: 80 * KIB,
      missing: 1,
      resent: 7,
    });
    expect(diagnosis.counts).toMatchObject({ acks: 0, naks: 0 });
    expect(one(diagnosis, 'cut').why).toContain('what tells an ACK from a NAK');
    expect(one(diagnose(writes(), 60), 'cut').why).toContain('Headers are there');
  });

  it('with MSN 0 acknowledge what was not carried out', () => {
    const sent = [send(0, 0, 12), ack(10 * US, 0, 0), send(MS, 1, 12), ack(MS + 10 * US, 1, 1)];
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: ['ack-not-executed'], good: 24, messages: 2 });
    expect(one(diagnosis, 'ack-not-executed')).toMatchObject({ packets: [2], total: 1 });
    // A single ACK with MSN 0 may be that of message 2^24, unless the connection begins with it.
    const wrapped = [send(0, 500, 12), ack(10 * US, 500, 0), send(MS, 501, 12), ack(MS + 10 * US, 501, 1)];
    expectRight(diagnose(wrapped), { found: ['msn-zero'], good: 24, messages: 2 });
    const twice = [send(0, 500, 12), ack(10 * US, 500, 0), send(MS, 501, 12), ack(MS + 10 * US, 501, 0)];
    expectRight(diagnose(twice), { found: ['ack-not-executed'], good: 24, messages: 2 });
    // The MSN wraps, too.
    expectRight(diagnose(writes({ msn: 0xfffffa, psn: 0xffffe0 }).slice(3)), { found: [], good: 37 * KIB });
  });

  it('that stand before their requests are matched all the same', () => {
    const sent = writes();
    const early = Array.from({ length: 10 }, (_, k) => sent.slice(5 * k, 5 * k + 5)).flatMap((five) => [
      five[4]!,
      ...five.slice(0, 4),
    ]);
    for (const capture of [
      early,
      sent
        .map((each) => (each.by === 'b' ? { ...each, t: each.t - 30 * US } : each))
        .sort((x, y) => x.t - y.t),
    ]) {
      const diagnosis = diagnose(capture);
      expectRight(diagnosis, { found: [], good: 40 * KIB, messages: 10 });
      expect(diagnosis.connections).toMatchObject([{ matched: 'psn' }]);
    }
    expect(diagnose(early).durationNs).toBe(end(sent) - sent[0]!.t);
  });
});
