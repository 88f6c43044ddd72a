// Matching of packets: flows with close PSNs, packets that two places captured, and QP numbers that are used again.
import { describe, expect, it } from 'vitest';
import { ids, one } from './lib/diagnosis.js';
import { expectRight, KIB } from './lib/right.js';
import {
  ack,
  atomicAnswer,
  bothEnds,
  diagnose,
  fetchAdd,
  MS,
  NAK,
  RNR,
  S,
  send,
  US,
  writes,
  type Captured,
  type Sent,
} from './lib/traffic.js';

/** Requests of one packet, each with its ACK, one after the other. `qps`: QP of the requests, and of the answers. */
function exchange(t: number, psn: number, packets: number, msn: number, qps: [number, number]): Sent[] {
  return Array.from({ length: packets }, (_, i) => [
    send(t + i * 10 * US, psn + i, 64, { qp: qps[0] }),
    ack(t + i * 10 * US + 4 * US, psn + i, msn + i, undefined, { qp: qps[1] }),
  ]).flat();
}

const byTime = <T extends Sent>(sent: T[]): T[] => sent.sort((x, y) => x.t - y.t);

describe('two connections of close PSNs', () => {
  const first: [number, number] = [0x22, 0x11];
  const second: [number, number] = [0x44, 0x33];

  it('of which the answers of one come before its requests, as the capture began midway, stay unmatched', () => {
    const sent = byTime([
      send(0, 100, 64, { qp: 0x22 }),
      // Answers a request of the second connection from before the capture.
      ack(1 * US, 100, 7000, undefined, { qp: 0x33 }),
      ack(2 * US, 100, 41, undefined, { qp: 0x11 }),
      ...exchange(5 * US, 101, 6, 42, first),
      ...exchange(8 * US, 101, 3, 7001, second),
      send(40 * US, 105, 64, { qp: 0x44 }),
      ack(42 * US, 104, 7003, NAK, { qp: 0x33 }),
      ...exchange(44 * US, 104, 3, 7004, second),
    ]);
    const diagnosis = diagnose(sent);
    expect(diagnosis.connections.map(({ matched }) => matched)).toEqual(['no', 'no', 'no', 'no']);
    expect(ids(diagnosis)).toEqual(['unmatched']);
  });

  it('that begin in the capture are matched by their first answers', () => {
    const sent = byTime([...exchange(0, 100, 20, 1, first), ...exchange(3 * US, 101, 20, 1, second)]);
    const { connections } = diagnose(sent);
    expect(connections.map(({ ends, matched }) => [ends.map(({ qpn }) => qpn), matched])).toEqual([
      [[0x11, 0x22], 'psn'],
      [[0x33, 0x44], 'psn'],
    ]);
  });

  it('of which one begins later are matched once the other had sixteen answers', () => {
    const sent = byTime([...exchange(0, 100, 40, 900, first), ...exchange(200 * US, 110, 20, 1, second)]);
    expect(diagnose(sent).connections.map(({ matched }) => matched)).toEqual(['psn', 'psn']);
  });
});

describe('two places of capture', () => {
  it('with a copy made between them hold the next retransmission at the first', () => {
    const sent = [
      ...exchange(0, 100, 40, 1, [0x22, 0x11]),
      send(MS, 140),
      // No ACK comes, and the retransmission is lost between the two places.
      send(21 * MS, 140),
      send(41 * MS, 140),
      ack(41 * MS + 4 * US, 140, 41),
    ];
    const lost = sent.findIndex(({ t }) => t === 21 * MS);
    const captured: Captured[] = bothEnds(sent, { only: (_, i) => ({ arrived: i !== lost }) });
    const arrived = captured.find(({ t, interfaceId }) => t === MS + 2 * US && interfaceId === 1)!;
    const all = byTime([...captured, { ...arrived, t: arrived.t + 4 * US }]);
    const heads = [21 * MS, 41 * MS].map((at) => all.findIndex(({ t }) => t === at) + 1);
    const { packets, text } = one(diagnose(all), 'retransmission-timeout');
    expect(packets).toEqual(heads);
    expect(text).toContain('twice');
  });
});

describe('a QP number that is used again', () => {
  it.each([
    ...[-256, 0, 20, 1000, -70_000].map((offset) => [offset, 40] as const),
    ...[-256, 20, 1000].map((offset) => [offset, 4] as const),
  ])('with PSNs that begin %i further, after %i packets, is a new connection', (offset, packets) => {
    const first = writes({ psn: 0x300000, packets });
    const diagnosis = diagnose([...first, ...writes({ psn: 0x300000 + offset, packets, t: 10 * S })]);
    const found = Math.abs(offset) > 65_536 ? [] : ['qp-reused'];
    expectRight(diagnosis, { found, good: 2 * packets * KIB, messages: packets / 2 });
  });
});

it('an atomic that is answered again with its MSN of then is no new connection', () => {
  const sent = [
    ...[0, 1, 2, 3].flatMap((k) => [
      fetchAdd(k * 20 * US, 10 + k),
      atomicAnswer(k * 20 * US + 5 * US, 10 + k, k + 1),
    ]),
    fetchAdd(67 * MS, 12),
    fetchAdd(67 * MS + US, 13),
    atomicAnswer(67 * MS + 5 * US, 12, 1),
    atomicAnswer(67 * MS + 6 * US, 13, 2),
  ];
  expect(diagnose(sent).findings.map(({ id }) => id)).not.toContain('qp-reused');
});

it('RNR NAKs that come before their flow is matched count', () => {
  // Two connections with the same PSNs: the answers fit both until one of them goes on alone.
  const other = { qp: 0x33 };
  const sent = [send(0, 100), send(US, 100, 64, other), ack(2 * US, 100, 0, RNR | 1)];
  sent.push(send(30 * US, 100));
  for (let k = 0; k < 40; k++) {
    const t = 50 * US + k * 10 * US;
    if (k > 0) sent.push(send(t, 100 + k));
    sent.push(ack(t + 5 * US, 100 + k, k + 1));
  }
  const diagnosis = diagnose(sent);
  expect(diagnosis.connections.filter(({ matched }) => matched === 'psn')).toHaveLength(1);
  expect(one(diagnosis, 'rnr')).toMatchObject({ packets: [3], total: 1 });
});

it('answers to what was sent before the capture and again in it are matched', () => {
  const sent = [send(0, 120), ...[0, 1, 2, 3, 4].map((k) => send(67 * MS + k * US, 110 + k))];
  const t = 67 * MS + 10 * US;
  sent.push(ack(t, 110, 3), ack(t + US, 111, 4), ack(t + 2 * US, 112, 4, NAK));
  sent.push(
    ...Array.from({ length: 9 }, (_, k) => send(t + (3 + k) * US, 112 + k)),
    ack(t + 20 * US, 120, 13),
  );
  const diagnosis = diagnose(sent);
  expectRight(diagnosis, {
    found: ['retransmission-before', 'nak-sequence', 'retransmission-nak'],
    good: 11 * 64,
    resent: 14,
  });
  expect(one(diagnosis, 'retransmission-nak').packets).toEqual([10]);
});
