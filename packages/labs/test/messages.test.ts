import type { PacketSummary } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { checkRead, checkSegments, checkWrite, withoutRepeats, WRITE } from '../src/wire/messages.js';
import { memoryRecord } from '../src/endpoints/verbs.js';

const MTU = 1024;

function packet(over: Partial<PacketSummary>): PacketSummary {
  return {
    direction: 'sent',
    opcode: 0x0a,
    destQpn: 0x11,
    psn: 0,
    ackReq: false,
    payload: 0,
    icrcOk: true,
    ...over,
  };
}

/** A WRITE of 2500 B at MTU 1024 from the last PSNs before the wrap, and its ACK. */
const write = [
  packet({ opcode: 0x06, psn: 0xff_fffe, payload: 1024 }),
  packet({ opcode: 0x07, psn: 0xff_ffff, payload: 1024 }),
  packet({ opcode: 0x08, psn: 0, payload: 452, ackReq: true }),
  packet({ direction: 'received', opcode: 0x11, psn: 0, syndrome: 0x1f }),
];

const read = [
  packet({ opcode: 0x0c, psn: 7 }),
  packet({ direction: 'received', opcode: 0x0d, psn: 7, payload: 1024, syndrome: 0x1f }),
  packet({ direction: 'received', opcode: 0x0e, psn: 8, payload: 1024 }),
  packet({ direction: 'received', opcode: 0x0f, psn: 9, payload: 452, syndrome: 0x1f }),
];

describe('the packets of a WRITE', () => {
  it('are right when they are cut at the MTU, over the PSN wrap too', () => {
    expect(checkWrite(write, 2500, MTU)).toEqual({
      ok: true,
      detail: 'WRITE First, WRITE Middle, WRITE Last, answered by 1 ACK.',
    });
  });

  it('may be retransmitted, and the check says so', () => {
    const repeated = [...write.slice(0, 3), ...write];
    expect(checkWrite(repeated, 2500, MTU)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('3 packets retransmitted') as string,
    });
  });

  it('are right when a lost packet was repaired, and the check says so', () => {
    const [first, middle, last, ack] = write as [PacketSummary, PacketSummary, PacketSummary, PacketSummary];
    const late = { fault: 'late' as const };
    // The tap sees a dropped packet at once, and the delayed ones before it later.
    const lost = [
      { ...last, fault: 'drop' as const },
      { ...first, ...late },
      { ...middle, ...late },
    ];
    const detail = 'WRITE First, WRITE Middle, WRITE Last, answered by 1 ACK; 1 packet retransmitted.';
    expect(checkWrite([...lost, last, ack], 2500, MTU)).toEqual({ ok: true, detail });
    const gap = { ...ack, psn: middle.psn, syndrome: 0x60 };
    const dropped = { ...middle, fault: 'drop' as const };
    expect(checkWrite([first, dropped, last, gap, middle, last, ack], 2500, MTU).ok).toBe(true);
    // Without a retransmission, a NAK of a gap is a failure.
    expect(checkWrite([...write.slice(0, 3), gap, ack], 2500, MTU).detail).toContain('NAK');
    // Without faults, the order counts.
    expect(checkWrite([last, first, middle, ack], 2500, MTU).ok).toBe(false);
  });

  it.each([
    ['a packet is missing', [write[0], write[2], write[3]], 'does not follow PSN'],
    ['no ACK names the end', [...write.slice(0, 3), { ...write[3], psn: 0xff_ffff }], 'No ACK names'],
    ['the answer is a NAK', [...write.slice(0, 3), { ...write[3], syndrome: 0x62 }], 'NAK (syndrome 0x62)'],
    ['a READ response comes', [...write.slice(0, 3), { ...write[3], opcode: 0x10 }], 'READ response Only'],
    ['a Middle is short', [write[0], { ...write[1], payload: 1000 }, write[2], write[3]], 'path MTU'],
    ['it begins twice', [write[0], { ...write[1], opcode: 0x06 }, write[2], write[3]], 'inside another'],
    ['it has no First', write.slice(1), 'has no First'],
    ['bytes are missing', [{ ...write[2], opcode: 0x0a }, write[3]], 'instead of 2500 B'],
  ])('are wrong when %s', (_, packets, why) => {
    const verdict = checkWrite(packets as PacketSummary[], 2500, MTU);
    expect(verdict.ok).toBe(false);
    expect(verdict.detail).toContain(why);
  });
});

describe('the packets of a READ', () => {
  it('are one request and its responses', () => {
    expect(checkRead(read, 2500, MTU)).toEqual({
      ok: true,
      detail: '1 READ request, answered by READ response First, READ response Middle, READ response Last.',
    });
  });

  it('may be several requests', () => {
    const second = [
      packet({ opcode: 0x0c, psn: 10 }),
      packet({ direction: 'received', opcode: 0x10, psn: 10, payload: 100, syndrome: 0x1f }),
    ];
    expect(checkRead([...read, ...second], 2600, MTU).ok).toBe(true);
  });

  it.each([
    ['a response is missing', read.slice(0, 3), 'instead of 2500 B'],
    ['nothing was asked', read.slice(1), 'No READ request'],
    [
      'the answer is a NAK',
      [read[0], packet({ direction: 'received', opcode: 0x11, syndrome: 0x62 })],
      'NAK',
    ],
    ['something else was sent', [...read, packet({ opcode: 0x0a, psn: 12 })], 'WRITE Only'],
  ])('are wrong when %s', (_, packets, why) => {
    const verdict = checkRead(packets as PacketSummary[], 2500, MTU);
    expect(verdict.ok).toBe(false);
    expect(verdict.detail).toContain(why);
  });
});

it('counts the messages of a stream, cut off or not', () => {
  const data = write.slice(0, 3);
  const next = data.map((one, index) => ({ ...one, psn: index + 1 }));
  expect(checkSegments([...data, ...next], WRITE, MTU)).toMatchObject({ ok: true, messages: 2, bytes: 5000 });
  expect(checkSegments([...data, next[0] as PacketSummary], WRITE, MTU)).toMatchObject({
    ok: true,
    messages: 1,
  });
});

it('takes the first of packets with the same PSN', () => {
  expect(withoutRepeats([...read.slice(1), ...read.slice(1)])).toEqual({ once: read.slice(1), repeated: 3 });
});

it('writes address and key as twelve big-endian bytes', () => {
  expect(memoryRecord('0x7f0010000000', 0x5678)).toBe('00007f001000000000005678');
});
