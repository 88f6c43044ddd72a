// Matching of packets: flows with close PSNs, and packets that two places captured.
import { describe, expect, it } from 'vitest';
import { ids, one } from './lib/diagnosis.js';
import { ack, bothEnds, diagnose, MS, NAK, send, US, type Captured, type Sent } from './lib/traffic.js';

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
