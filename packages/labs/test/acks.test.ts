import type { PacketSummary } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';
import { expect, it } from 'vitest';
import { acknowledged, wrapAt } from '../src/acknowledgments/acks.js';

const packet = (change: Partial<PacketSummary>): PacketSummary => ({
  direction: 'sent',
  opcode: RC.writeOnly,
  destQpn: 17,
  psn: 0,
  ackReq: true,
  payload: 8,
  icrcOk: true,
  ...change,
});
const ack = (psn: number, msn: number, syndrome = 0x1f): PacketSummary =>
  packet({ direction: 'received', opcode: RC.acknowledge, psn, msn, syndrome });

const LAST = 0xff_ffff;

it('counts what each ACK covers, across the wrap', () => {
  const found = acknowledged([
    packet({ psn: LAST - 1, opcode: RC.writeFirst }),
    packet({ psn: LAST, opcode: RC.writeLast }),
    packet({ psn: 0 }),
    ack(LAST - 1, 0),
    packet({ psn: 1 }),
    ack(1, 3),
  ]);
  expect(found.acks).toEqual([
    { psn: LAST - 1, msn: 0, packets: 1, messages: 0, expected: 0 },
    { psn: 1, msn: 3, packets: 3, messages: 3, expected: 3 },
  ]);
  expect(found).toMatchObject({ gaps: 0, stray: 0 });
  expect(wrapAt(found.data)).toBe(2);
});

it('finds gaps, NAKs and ACKs of other packets, and no wrap where there is none', () => {
  const found = acknowledged([packet({ psn: 5 }), packet({ psn: 7 }), ack(6, 1), ack(7, 1, 0x60)]);
  expect(found).toMatchObject({ gaps: 1, stray: 2, acks: [] });
  expect(wrapAt(found.data)).toBe(-1);
});

it('counts a retransmitted packet and a repeated ACK once', () => {
  const found = acknowledged([packet({ psn: 5 }), packet({ psn: 5 }), ack(5, 1), ack(5, 1)]);
  expect(found.data).toHaveLength(1);
  expect(found.acks.map(({ packets, messages }) => [packets, messages])).toEqual([
    [1, 1],
    [0, 0],
  ]);
});
