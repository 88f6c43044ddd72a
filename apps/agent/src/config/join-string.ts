import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { AppError } from '@verbslab/protocol';
import { isToken } from './token.js';

/** All that another agent must know to come in. */
export interface Invitation {
  /** Address or name, IPv6 without brackets. */
  host: string;
  port: number;
  token: string;
  /** SHA-256 of the certificate, 64 hex digits. */
  fingerprint: string;
}

/**
 * A join string is one word: `vlab1_` and, as base64url, u16 port, 24 bytes of token, u8 32, 32 bytes of
 * fingerprint, the host in UTF-8, and the first four bytes of the SHA-256 of all that (and of the prefix).
 */
const VERSION = 1;
const PREFIX = `vlab${VERSION}_`;
const SUM_BYTES = 4;
const TOKEN_BYTES = 24;
const FINGERPRINT_BYTES = 32;
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;

const sumOf = (body: Uint8Array): Buffer =>
  createHash('sha256').update(PREFIX).update(body).digest().subarray(0, SUM_BYTES);

export function encodeInvitation({ host, port, token, fingerprint }: Invitation): string {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(port);
  const print = Buffer.from(fingerprint, 'hex');
  const body = Buffer.concat([
    head,
    Buffer.from(token, 'base64url'),
    Buffer.from([print.length]),
    print,
    Buffer.from(host),
  ]);
  return PREFIX + Buffer.concat([body, sumOf(body)]).toString('base64url');
}

const INVITE = 'Run `verbslab peers invite` on the other machine and copy the whole line that it prints.';

function bad(detail: string, hint = INVITE): AppError {
  return new AppError('BAD_JOIN_STRING', { detail, hint });
}

/** Reads one; white space in it (a terminal's line breaks) does not count. Throws AppError BAD_JOIN_STRING. */
export function decodeInvitation(text: string): Invitation {
  const word = text.replace(/\s+/g, '');
  if (word === '') throw bad('it is empty');
  const prefix = /^vlab(\d{1,4})_/.exec(word);
  if (!prefix) {
    if (/^https?:\/\//i.test(word))
      throw bad('it is the address of a dashboard, which signs in a browser, not an agent');
    throw bad('it does not begin with “vlab1_”');
  }
  if (Number(prefix[1]) !== VERSION)
    throw bad(
      `it has version ${Number(prefix[1])}, and this agent reads version ${VERSION}`,
      'Install the same version of Verbs Lab on both hosts.',
    );
  const payload = word.slice(prefix[0].length);
  const stranger = /[^A-Za-z0-9_-]/.exec(payload);
  if (stranger)
    throw bad(
      `the character “${stranger[0]}” at position ${prefix[0].length + stranger.index + 1} is not allowed`,
    );
  const bytes = Buffer.from(payload, 'base64url');
  const body = bytes.subarray(0, Math.max(0, bytes.length - SUM_BYTES));
  // A last character with unused bits set would be another spelling of the same bytes.
  const whole = bytes.length > SUM_BYTES && bytes.toString('base64url') === payload;
  if (!whole || !sumOf(body).equals(bytes.subarray(body.length)))
    throw bad('its checksum is wrong, so it was cut off or changed');
  return read(body);
}

function read(body: Buffer): Invitation {
  const hostAt = 2 + TOKEN_BYTES + 1 + (body[2 + TOKEN_BYTES] ?? 0);
  const token = body.subarray(2, 2 + TOKEN_BYTES).toString('base64url');
  const print = body.subarray(2 + TOKEN_BYTES + 1, hostAt);
  const host = body.subarray(hostAt).toString();
  if (body.length <= hostAt || !isToken(token) || (print.length !== 0 && print.length !== FINGERPRINT_BYTES))
    throw bad('its content is invalid');
  const port = body.readUInt16BE(0);
  if (port === 0) throw bad('it names port 0');
  if (!HOST.test(host) && !isIPv6(host)) throw bad('it contains no address to connect to');
  if (print.length === 0) throw bad('it has no certificate fingerprint, so that agent could not be verified');
  return { host, port, token, fingerprint: print.toString('hex') };
}
