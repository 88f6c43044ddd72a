import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatGid, gidAddress, parseGid } from '../src/base/gid.js';
import { thrown } from './helpers.js';

describe('GIDs', () => {
  it.each([
    ['::1', [...Array<number>(15).fill(0), 1], '::1'],
    ['::ffff:127.0.0.1', [...Array<number>(10).fill(0), 0xff, 0xff, 127, 0, 0, 1], '127.0.0.1'],
    ['fe80::1:0:0:2', [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2], 'fe80::1:0:0:2'],
  ])('%s', (text, bytes, address) => {
    const gid = Uint8Array.from(bytes);
    expect(Array.from(parseGid(text))).toEqual(bytes);
    expect(gidAddress(formatGid(gid))).toBe(address);
  });

  it('read back what they write', () => {
    // Zeros are frequent, or `::` would hardly come up.
    const byte = fc.oneof(fc.constant(0), fc.nat(255));
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.array(byte, { minLength: 16, maxLength: 16 }),
        (a, b) => {
          for (const gid of [a, Uint8Array.from(b)]) {
            const text = formatGid(gid);
            expect(isIPv6(text)).toBe(true);
            expect(Array.from(parseGid(text))).toEqual(Array.from(gid));
          }
        },
      ),
    );
  });

  it('take an IPv4 address for its mapped form', () => {
    expect(formatGid(parseGid('192.0.2.7'))).toBe('::ffff:192.0.2.7');
  });

  it.each(['', 'nobody', '1.2.3', 'fe80::1%eth0', '1::2::3'])('refuse “%s”', (text) => {
    expect(thrown(() => parseGid(text)).code).toBe('EINVAL');
  });
});
