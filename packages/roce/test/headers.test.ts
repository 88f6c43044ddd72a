import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aeth, allHeaders, bth, RNR_TIMER_US, syndromeText } from '../src/index.js';
import type { FieldTable, Header } from '../src/index.js';
import { ipv6Text, parseIpv6 } from '../src/base/bytes.js';

const headers = allHeaders as unknown as Header<FieldTable>[];

describe.each(headers.map((h) => [h.title, h] as const))('%s', (_title, header) => {
  const bytes = fc.uint8Array({ minLength: header.length, maxLength: header.length });

  it('has a field for every bit, and no bit twice', () => {
    const owner = new Array<string | undefined>(header.length * 8).fill(undefined);
    for (const [key, field] of Object.entries(header.fields)) {
      const bits = field.length * 8;
      const mask = field.options.mask === undefined ? (1n << BigInt(bits)) - 1n : BigInt(field.options.mask);
      for (let bit = 0; bit < bits; bit++) {
        if (((mask >> BigInt(bits - 1 - bit)) & 1n) === 0n) continue;
        const at = field.offset * 8 + bit;
        expect(owner[at], `bit ${at} of ${key}`).toBeUndefined();
        owner[at] = key;
      }
    }
    expect(owner.findIndex((o) => o === undefined)).toBe(-1);
  });

  it('emits what it parsed, byte for byte', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 7 }), (b, offset) => {
        const buffer = new Uint8Array(header.length + 8);
        buffer.set(b, offset);
        const value = header.parse(buffer, offset)!;
        const out = new Uint8Array(header.length + 8).fill(0xa5);
        expect(header.emit(value, out, offset)).toBe(header.length);
        expect(out.subarray(offset, offset + header.length)).toEqual(b);
        expect(out.subarray(0, offset).every((x) => x === 0xa5)).toBe(true);
        expect(out.subarray(offset + header.length).every((x) => x === 0xa5)).toBe(true);
        expect(header.parse(header.bytes(value))).toEqual(value);
      }),
    );
  });

  it('shows and changes fields in place through its view', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const view = header.view(a)! as unknown as Record<string, unknown>;
        const value = header.parse(b.slice())! as Record<string, unknown>;
        for (const key of Object.keys(header.fields)) {
          view[key] = value[key];
          expect(view[key]).toEqual(value[key]);
        }
        expect(a).toEqual(b);
      }),
    );
  });

  it('refuses what is too short', () => {
    const short = new Uint8Array(header.length - 1);
    expect(header.parse(short)).toBeNull();
    expect(header.view(short)).toBeNull();
    expect(header.layer(short)).toBeNull();
    expect(header.parse(new Uint8Array(header.length), 1)).toBeNull();
    expect(header.parse(new Uint8Array(header.length), -1)).toBeNull();
    const value = header.parse(new Uint8Array(header.length))!;
    expect(() => header.emit(value, short)).toThrow(RangeError);
  });

  it('explains every field in a sentence', () => {
    for (const field of Object.values(header.fields)) {
      expect(field.options.doc, field.options.name).toMatch(/^[A-Z0-9].*[.]$/);
      expect(field.options.label).not.toBe('');
    }
  });
});

describe('values that do not fit', () => {
  it('are refused when emitting', () => {
    const value = bth.parse(new Uint8Array(12))!;
    expect(() => bth.bytes({ ...value, psn: 1 << 24 })).toThrow(/infiniband.bth.psn/);
    expect(() => bth.bytes({ ...value, padCount: 4 })).toThrow(RangeError);
    expect(() => bth.bytes({ ...value, opcode: -1 })).toThrow(RangeError);
    expect(() => bth.bytes({ ...value, opcode: 1.5 })).toThrow(RangeError);
  });
});

describe('IPv6 text', () => {
  it.each([
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['fe80::5054:ff:fe00:2', 'fe80000000000000505400fffe000002'],
    ['2001:db8:0:1:1:1:1:1', '20010db8000000010001000100010001'],
    ['2001:db8::1:0:0:1', '20010db8000000000001000000000001'],
    ['::ffff:10.9.0.1', '00000000000000000000ffff0a090001'],
    ['1::', '00010000000000000000000000000000'],
  ])('writes %s as RFC 5952 says', (text, digits) => {
    const bytes = Uint8Array.from(digits.match(/../g)!, (x) => parseInt(x, 16));
    expect(ipv6Text(bytes)).toBe(text);
    expect(parseIpv6(text)).toEqual(bytes);
  });
  it.each([
    '',
    ':',
    ':::',
    '1:2:3',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    'g::',
    '::1.2.3',
    '::256.1.1.1',
    '12345::',
  ])('refuses %j', (text) => expect(parseIpv6(text)).toBeNull());
});

describe('AETH syndromes', () => {
  it('are read as ACK, RNR NAK and NAK', () => {
    expect(syndromeText(0x1f)).toBe('ACK');
    expect(syndromeText(0x05)).toBe('ACK, 5 credits');
    expect(syndromeText(0x20 | 14)).toBe('RNR NAK, wait 1280 µs');
    expect(RNR_TIMER_US).toHaveLength(32);
    expect(syndromeText(0x20)).toBe('RNR NAK, wait 655360 µs');
    expect(syndromeText(0x60)).toBe('NAK: PSN sequence error');
    expect(syndromeText(0x62)).toBe('NAK: Remote access error');
    expect(syndromeText(0x63)).toBe('NAK: Remote operational error');
  });
  it('show the part that their type has', () => {
    const parts = (syndrome: number) =>
      aeth.layer(Uint8Array.of(syndrome, 0, 0, 1))!.fields.map((f) => f.name.replace('infiniband.aeth.', ''));
    expect(parts(0x1f)).toContain('syndrome.credit_count');
    expect(parts(0x2c)).toContain('syndrome.timer');
    expect(parts(0x61)).toContain('syndrome.error_code');
    expect(parts(0x40)).toContain('syndrome.reserved_value');
  });
});
