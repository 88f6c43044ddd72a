import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkIcrc,
  computeIcrc,
  crc32,
  decodePacket,
  LinkType,
  packetRows,
  readCapture,
} from '../src/index.js';
import { crc32Update } from '../src/base/crc32.js';
import { captureBytes, captures } from './lib/testdata.js';

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.replaceAll(/\s/g, '').match(/../g)!, (x) => parseInt(x, 16));

/** CRC computed bit by bit from the polynomial. */
function slowCrc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

describe('CRC-32', () => {
  it('gives the check value of its definition', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });
  it('agrees with the bitwise form at every length and alignment', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (b) => crc32(b) === slowCrc(b)));
  });
  it('has the state that stands for eight bytes of ones', () => {
    expect(crc32Update(0xffffffff, new Uint8Array(8).fill(0xff), 0, 8)).toBe(0xdebb20e3);
  });
});

/** UC SEND Only, IP identification 1144. */
const UC_SEND = fromHex(`
  45010040 04784000 4011b4d5 c0a80007 c0a80007  c00012b7 002caca2
  2460ffff 000000d3 00cf1710  4630818b e28935d9 0e9a9550 5401be88 5e500000  78f353f3`);
/** CNP captured on a ConnectX-4 Lx. */
const CNP = fromHex(`
  e41d2dab2bc2 7cfe90643b32 0800
  45c2003c 718c4000 40119161 0a001101 0a001201  000012b7 00280000
  8100ffff 40000118 00000000  00000000 00000000 00000000 00000000  82fd002a`);

describe('ICRC', () => {
  it('of a known UC SEND Only is 0x78f353f3', () => {
    const { icrc, summary } = decodePacket(UC_SEND, LinkType.RAW);
    expect(summary).toMatchObject({ opcode: 0x24, destQp: 211, psn: 13571856, kind: 'send' });
    expect(icrc).toEqual({ status: 'ok', stored: 0x78f353f3, computed: 0x78f353f3, id: 1144 });
  });
  it('of a known CNP is 0x82fd002a', () => {
    const { icrc, summary } = decodePacket(CNP, LinkType.ETHERNET);
    expect(summary).toMatchObject({ opcode: 0x81, destQp: 0x118, kind: 'cnp' });
    expect(icrc).toMatchObject({ status: 'ok', computed: 0x82fd002a });
  });
  it.each(captures)('is right on every packet of %s', (name) => {
    const rows = packetRows(readCapture(captureBytes(name)).records);
    const roce = rows.filter((r) => r.opcode !== undefined);
    expect(roce.length).toBeGreaterThan(280);
    expect(roce.filter((r) => r.icrc !== 'ok')).toEqual([]);
  });
  it('does not cover what routers change', () => {
    for (const at of [1, 8, 10, 11, 26, 27, 32]) {
      const changed = UC_SEND.slice();
      changed[at]! ^= 0x5a;
      expect(checkIcrc(changed, 0, 28, changed.length).status, `byte ${at}`).toBe('ok');
    }
  });
  it('finds any other flipped bit', () => {
    const free = new Set([1, 8, 10, 11, 26, 27, 32]);
    const identification = new Set([4, 5]);
    for (let at = 0; at < UC_SEND.length; at++) {
      if (free.has(at) || identification.has(at) || at === 0) continue; // byte 0 is the IP version
      for (let bit = 0; bit < 8; bit++) {
        const changed = UC_SEND.slice();
        changed[at]! ^= 1 << bit;
        const check = checkIcrc(changed, 0, 28, changed.length, { maxOtherId: 0 });
        expect(check.status, `byte ${at} bit ${bit}`).toBe('bad');
      }
    }
  });
});

describe('the rule of the IP identification', () => {
  const withId = (id: number): Uint8Array => {
    const changed = UC_SEND.slice();
    changed[4] = id >>> 8;
    changed[5] = id & 0xff;
    return changed;
  };
  const check = (packet: Uint8Array, options = {}) => checkIcrc(packet, 0, 28, packet.length, options);

  it('finds the one that explains the ICRC', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), (captured) => {
        const result = check(withId(captured), { ipIdHint: 1144 });
        expect(result.status).toBe(captured === 1144 ? 'ok' : 'ok-other-id');
        expect(result.id).toBe(1144);
      }),
    );
  });
  it('accepts small ones and the hint, and others only on request', () => {
    expect(check(withId(0)).status).toBe('bad');
    expect(check(withId(0), { maxOtherId: 65536 })).toMatchObject({ status: 'ok-other-id', id: 1144 });
    expect(check(withId(0), { ipIdHint: 1143 }).status).toBe('bad');
    const segment3 = UC_SEND.slice();
    const icrc = computeIcrc(segment3, 0, 28, segment3.length - 4, 3);
    new DataView(segment3.buffer).setUint32(segment3.length - 4, icrc);
    expect(check(segment3)).toMatchObject({ status: 'ok-other-id', id: 3 });
  });
  it('does not excuse a damaged payload', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 59 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = UC_SEND.slice();
        damaged[at]! ^= flip;
        expect(check(damaged).status).toBe('bad');
      }),
    );
  });
});
