// READs and atomics with a known right answer: the findings, the counts, and no other finding.
import { describe, expect, it } from 'vitest';
import { one } from './lib/diagnosis.js';
import { expectRight, KIB } from './lib/right.js';
import {
  ack,
  atomicAnswer,
  diagnose,
  fetchAdd,
  MS,
  NAK,
  psnOf,
  read,
  readRequest,
  readResponses,
  send,
  US,
  writes,
  type Sent,
} from './lib/traffic.js';

describe('READs', () => {
  const TAIL = 10 * 64;
  const ASKED_AT_ONCE = ['retransmission-read', 'read-response-gap', 'read-response-repeated'];
  const ASKED_LATE = ['retransmission-timeout', 'read-response-gap'];
  it.each<[string, Sent[], string[], number?]>([
    ['clean', read(), []],
    [
      'the last responses lost, asked for again',
      read({ lose: [5, 6, 7], ask: 5, wait: 67 * MS }),
      ASKED_LATE,
      3,
    ],
    ['the last one lost', read({ lose: [7], ask: 7, wait: 67 * MS }), ASKED_LATE, 1],
    ['all lost', read({ lose: [0, 1, 2, 3, 4, 5, 6, 7], ask: 0, wait: 67 * MS }), ['retransmission-timeout']],
    ['one in the middle lost', read({ lose: [3], ask: 3 }), ASKED_AT_ONCE, 1],
    ['the first lost', read({ lose: [0], ask: 0 }), ASKED_AT_ONCE, 1],
    ['over the wrap of PSNs', read({ psn: 0xfffffc, lose: [3], ask: 3 }), ASKED_AT_ONCE, 1],
    [
      'captured by the responder',
      read({ ask: 5, wait: 67 * MS }),
      ['retransmission-timeout', 'read-response-repeated'],
    ],
    [
      'captured by the responder, asked at once',
      read({ ask: 3 }),
      ['retransmission-read', 'read-response-repeated'],
    ],
    ['a response that only the capture lacks', read({ lose: [3] }), ['read-response-gap'], 1],
  ])('%s', (_name, sent, found, missing) => {
    const diagnosis = diagnose(sent);
    const asked = found.some((id) => id.startsWith('retransmission'));
    const good = 8 * KIB + TAIL - (asked ? 0 : (missing ?? 0) * KIB);
    expectRight(diagnosis, { found, good, resent: asked ? 1 : 0, messages: 11 });
    expect(diagnosis.counts.messageBytes).toBe(8 * KIB + TAIL);
    if (missing) expect(one(diagnosis, 'read-response-gap').text).toContain(`${missing} packet`);
    if (found.includes('retransmission-timeout'))
      expect(one(diagnosis, 'retransmission-timeout').text).toContain('waited 67 ms in all');
  });

  it('several outstanding: the one that lacks a response and those behind it are asked for again', () => {
    const all = () => true;
    const sent = [
      ...[0, 1, 2, 3].map((k) => readRequest(k * US, 100 + 4 * k, 0, 4)),
      ...readResponses(10 * US, 100, 0, 4, all),
      ...readResponses(20 * US, 104, 0, 4, (i) => i < 2),
      ...readResponses(30 * US, 108, 0, 4, all),
      readRequest(50 * US, 104, 2, 4),
      readRequest(51 * US, 108, 0, 4),
      readRequest(52 * US, 112, 0, 4),
      ...readResponses(60 * US, 104, 2, 4, all),
      ...readResponses(70 * US, 108, 0, 4, all),
      ...readResponses(80 * US, 112, 0, 4, all),
    ];
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, {
      found: ASKED_AT_ONCE,
      good: 16 * KIB,
      resent: 3,
      messages: 4,
    });
    expect(one(diagnosis, 'read-response-gap').text).toContain('2 packets');
    expect(one(diagnosis, 'read-response-repeated').total).toBe(4);
  });

  it.each([true, false])('several outstanding, and the second request is lost (captured: %s)', (captured) => {
    const all = () => true;
    const sent = [
      readRequest(0, 100, 0, 4),
      ...(captured ? [readRequest(US, 104, 0, 4)] : []),
      readRequest(2 * US, 108, 0, 4),
      ...readResponses(10 * US, 100, 0, 4, all),
      ack(20 * US, 104, 1, NAK),
      readRequest(30 * US, 104, 0, 4),
      readRequest(31 * US, 108, 0, 4),
      ...readResponses(40 * US, 104, 0, 4, all),
      ...readResponses(50 * US, 108, 0, 4, all),
    ];
    // Only the responses show that the first READ has 4 of them.
    expectRight(diagnose(sent), {
      found: ['nak-sequence', 'retransmission-nak', ...(captured ? [] : ['gap-lost'])],
      good: 12 * KIB,
      missing: captured ? 0 : 4,
      resent: 2,
      messages: 3,
    });
    if (!captured) expect(one(diagnose(sent), 'gap-lost').text).toContain('1 packet from');
  });

  it('an atomic whose answer is lost is a timeout', () => {
    const sent = [
      ...[0, 1, 2, 3].flatMap((k) => [
        fetchAdd(k * 20 * US, 10 + k),
        atomicAnswer(k * 20 * US + 5 * US, 10 + k, k + 1),
      ]),
      fetchAdd(100 * US, 14),
      fetchAdd(67 * MS, 14),
      atomicAnswer(67 * MS + 5 * US, 14, 5),
    ];
    expectRight(diagnose(sent), {
      found: ['retransmission-timeout'],
      good: 0,
      resent: 1,
      messages: 5,
    });
  });
});

describe('an atomic that is asked for again though its answer was captured', () => {
  const going = (t: number): Sent[] => [0, 1, 2, 3].map((k) => send(t + k * US, 109 + k));

  it('may be because of a NAK that answers and a later NAK crossed', () => {
    const sent = [
      ...writes({ packets: 8 }),
      fetchAdd(100 * US, 108),
      ack(105 * US, 108, 2, NAK),
      atomicAnswer(106 * US, 108, 3),
      ...going(107 * US).filter((each) => psnOf(each) !== 110),
      ack(111 * US, 110, 4, NAK),
      fetchAdd(112 * US, 108),
      ...going(113 * US),
      ack(120 * US, 112, 7),
    ];
    expectRight(diagnose(sent), {
      found: ['nak-sequence', 'retransmission-unexplained', 'gap-lost'],
      good: 8 * KIB + 4 * 64,
      missing: 1,
      resent: 5,
    });
  });

  it('is doubtful where an ACK from before says that it is missing', () => {
    const covered = (t: number) => ack(t, 112, 9);
    const sent = [send(0, 107), covered(US), send(2 * US, 108), send(3 * US, 109), send(4 * US, 110)];
    sent.push(fetchAdd(5 * US, 111), covered(6 * US), fetchAdd(7 * US, 111), send(8 * US, 112));
    expectRight(diagnose(sent), {
      found: ['doubtful'],
      good: 5 * 64,
      resent: 1,
    });
  });

  it('may be because of a NAK from before the capture', () => {
    const sent = [
      send(0, 112),
      atomicAnswer(US, 108, 3),
      ack(2 * US, 111, 6),
      fetchAdd(3 * US, 108),
      ...going(4 * US),
      atomicAnswer(9 * US, 108, 6),
      ack(10 * US, 112, 7),
    ];

    const found = ['retransmission-before', 'read-response-repeated'];
    expectRight(diagnose(sent), { found, good: 4 * 64, resent: 5 });
  });

  it('of a PSN from before the capture waited longer than the capture shows', () => {
    const at = 67 * MS;
    const sent = [
      send(0, 112),
      atomicAnswer(US, 108, 3),
      ack(2 * US, 111, 6),
      fetchAdd(at, 108),
      ...going(at + US),
      atomicAnswer(at + 6 * US, 108, 6),
      ack(at + 7 * US, 112, 7),
    ];
    expect(one(diagnose(sent), 'retransmission-timeout').text).toContain('waited 67 ms or more in all');
  });
});
