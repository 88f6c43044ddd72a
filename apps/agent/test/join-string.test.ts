import fc from 'fast-check';
import { AppError } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { decodeInvitation, encodeInvitation, type Invitation } from '../src/config/join-string.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const invitations: fc.Arbitrary<Invitation> = fc.record({
  host: fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()),
  port: fc.integer({ min: 1, max: 65_535 }),
  token: bytes(24).map((token) => Buffer.from(token).toString('base64url')),
  fingerprint: bytes(32).map(hex),
});
const example: Invitation = {
  host: '192.0.2.7',
  port: 7480,
  token: 'A'.repeat(31) + 'B',
  fingerprint: 'ab'.repeat(32),
};
const join = encodeInvitation({ ...example, token: Buffer.alloc(24, 7).toString('base64url') });

function complaint(text: string): string {
  try {
    decodeInvitation(text);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    const { code, message, cure } = (error as AppError).info;
    expect(code).toBe('BAD_JOIN_STRING');
    expect(cure).not.toBe('');
    return message;
  }
  return 'none';
}

describe('a join string', () => {
  it('is one word that gives back what went in', () => {
    fc.assert(
      fc.property(invitations, (invitation) => {
        const text = encodeInvitation(invitation);
        expect(text).toMatch(/^vlab1_[A-Za-z0-9_-]+$/);
        expect(decodeInvitation(text)).toEqual(invitation);
      }),
    );
  });

  it('survives the line breaks of a terminal', () => {
    const broken = ` ${join.slice(0, 40)}\n  ${join.slice(40, 80)}\r\n${join.slice(80)}\n`;
    expect(decodeInvitation(broken)).toEqual(decodeInvitation(join));
  });

  it('needs a fingerprint, on loopback too: another user may listen there', () => {
    const local = { ...decodeInvitation(join), host: '127.0.0.1', fingerprint: '' };
    expect(complaint(encodeInvitation(local))).toContain('no certificate fingerprint');
  });

  it('detects a wrong, missing or extra character at any place', () => {
    for (let at = 6; at < join.length; at++) {
      const other = join[at] === 'A' ? 'B' : 'A';
      expect(complaint(join.slice(0, at) + other + join.slice(at + 1))).toContain('checksum');
      expect(complaint(join.slice(0, at) + join.slice(at + 1))).not.toBe('none');
      expect(complaint(join.slice(0, at) + other + join.slice(at))).not.toBe('none');
      expect(complaint(join.slice(0, at))).not.toBe('none');
    }
  });

  it.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['hello', 'does not begin with “vlab1_”'],
    ['http://127.0.0.1:7480/?token=abc', 'address of a dashboard'],
    [join.replace('vlab1', 'vlab2'), 'version 2, and this agent reads version 1'],
    ['vlab1_', 'checksum'],
    ['vlab1_AAAA', 'checksum'],
    [join.replace(/.$/, '!'), 'the character “!” at position'],
    [encodeInvitation({ ...decodeInvitation(join), port: 0 }), 'port 0'],
    [encodeInvitation({ ...decodeInvitation(join), host: '' }), 'its content is invalid'],
    [encodeInvitation({ ...decodeInvitation(join), host: 'a b' }), 'no address'],
    [encodeInvitation({ ...decodeInvitation(join), host: 'x/../y' }), 'no address'],
    [encodeInvitation({ ...decodeInvitation(join), fingerprint: 'abcd' }), 'its content is invalid'],
    [encodeInvitation({ ...decodeInvitation(join), fingerprint: '' }), 'no certificate fingerprint'],
  ])('says what is wrong with %j', (text, expected) => {
    expect(complaint(text)).toContain(expected);
  });

  it('never throws anything else, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String().map((text) => `vlab1_${text}`),
        ),
        (text) => {
          expect(complaint(text)).not.toBe('');
        },
      ),
    );
  });
});
