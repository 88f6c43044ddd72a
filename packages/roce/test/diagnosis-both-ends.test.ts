// Captures of both ends with a known right answer: the findings, the counts, and no other finding.
import { describe, expect, it } from 'vitest';
import { diagnoseFile, LinkType, RC, sll2, writePcapng } from '../src/index.js';
import { one } from './lib/diagnosis.js';
import { expectRight, KIB, LOSS } from './lib/right.js';
import {
  bothEnds,
  diagnose,
  goodBytes,
  MS,
  psnOf,
  request,
  US,
  writes,
  type Captured,
  type Sent,
} from './lib/traffic.js';

/** WRITEs that both ends captured, one packet of which is lost between them. */
function lostBetween(flags: boolean): Captured[] {
  const sent = writes({ packets: 80, lose: [21] });
  const at = sent.findIndex((each) => psnOf(each) === 122);
  const lost = request(sent[at]!.t - 5 * US, { opcode: RC.writeMiddle, psn: 121, payload: KIB });
  const only = (each: Sent) => (each === lost ? { arrived: false } : {});
  return bothEnds(sent.toSpliced(at, 0, lost), { flags, only });
}

describe('captures of both ends', () => {
  it.each([true, false])('count each packet once (direction in the file: %s)', (flags) => {
    const clean = diagnose(bothEnds(writes(), { flags }));
    expectRight(clean, { found: [], good: 40 * KIB, messages: 10 });
    expect(clean.counts.copies).toBe(50);
  });

  it.each([true, false])('tell where a packet was lost (direction in the file: %s)', (flags) => {
    const diagnosis = diagnose(lostBetween(flags));
    expectRight(diagnosis, {
      found: ['nak-sequence', 'retransmission-nak'],
      good: 80 * KIB,
      resent: 7,
      messages: 20,
    });
    expect(diagnosis.counts).toMatchObject({ naks: 1, copies: 107 });
  });

  it('of which one ends halfway count what the other holds', () => {
    const sent = writes({ packets: 80, lose: [61] });
    const half = Math.floor(sent.length / 2);
    const diagnosis = diagnose(bothEnds(sent, { flags: true, only: (_, i) => ({ left: i < half }) }));
    expectRight(diagnosis, { found: LOSS, good: 80 * KIB, missing: 1, resent: 7, messages: 20 });
    expect(diagnosis.counts).toMatchObject({ naks: 1, copies: half });
  });

  it.each([2 * US, 200 * US])(
    'of which one misses packets take them from the other, %i ns later',
    (delay) => {
      const diagnosis = diagnose(
        bothEnds(writes(), { flags: true, delay, only: (_, i) => ({ left: i !== 12 && i !== 30 }) }),
      );
      expect(diagnosis.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
      expect(goodBytes(diagnosis)).toBe(40 * KIB);
      expect(diagnosis.counts.copies).toBe(48);
    },
  );

  it.each([10 * US, 300 * US, -300 * US, MS])(
    'whose clocks are %i ns apart say so, and no cause',
    (apart) => {
      const captured = lostBetween(false).map((each) => ({
        ...each,
        t: each.t + 2 * MS + (each.interfaceId === 1 ? apart : 0),
      }));
      const diagnosis = diagnose(captured.sort((x, y) => x.t - y.t));
      expectRight(diagnosis, { found: ['clocks-apart', 'nak-sequence'], good: 80 * KIB, messages: 20 });
      const [, n, unit] = /about ([\d.]+) (µs|ms)/.exec(one(diagnosis, 'clocks-apart').text)!;
      expect(Number(n) * (unit === 'ms' ? MS : US)).toBeCloseTo(Math.abs(apart), -4);
    },
  );

  it('whose flags alternate hold nothing twice', () => {
    const sent = writes({ packets: 12 }).map((each, i) => ({
      ...each,
      direction: i % 2 ? ('in' as const) : ('out' as const),
    }));
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: [], good: 12 * KIB, messages: 3 });
    expect(diagnosis.counts.copies).toBe(0);
  });

  it('with the packet type of a cooked capture count each packet once', () => {
    const cooked = bothEnds(writes({ packets: 80, lose: [21] }), { flags: true }).map(
      ({ t, data, interfaceId = 0, direction }) => ({
        timeNs: BigInt(t),
        linkType: LinkType.LINUX_SLL2,
        data: Uint8Array.from([
          ...sll2.bytes({
            protocol: 0x800,
            reserved: 0,
            interfaceIndex: interfaceId + 2,
            hardwareType: 1,
            packetType: direction === 'out' ? 4 : 0,
            addressLength: 6,
            address: new Uint8Array(8),
          }),
          ...data,
        ]),
      }),
    );
    const diagnosis = diagnoseFile(writePcapng([{ linkType: LinkType.LINUX_SLL2 }], cooked));
    expectRight(diagnosis, { found: LOSS, good: 80 * KIB, missing: 1, resent: 7, messages: 20 });
    expect(diagnosis.counts.copies).toBe(107);
  });
});
