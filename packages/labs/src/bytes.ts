/** Bytes in the memory of an endpoint, as arrays; commands carry them in base64. */
import type { EndpointHandle } from '@verbslab/protocol';
import { BASE64_DIGITS } from './words.js';

const VALUES = new Map([...BASE64_DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));

export function bytesOfBase64(base64: string): Uint8Array {
  const digits = base64.replace(/=+$/, '');
  const bytes = new Uint8Array(Math.floor((digits.length * 6) / 8));
  let bits = 0;
  let have = 0;
  let at = 0;
  for (let i = 0; i < digits.length; i++) {
    bits = ((bits << 6) | (VALUES.get(digits.charCodeAt(i)) ?? 0)) & 0x3fff;
    have += 6;
    if (have >= 8) {
      have -= 8;
      bytes[at++] = (bits >> have) & 0xff;
    }
  }
  return bytes;
}

export function base64OfBytes(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let digit = 0; digit < 4; digit++)
      text += i + digit > bytes.length ? '=' : BASE64_DIGITS[(group >> (18 - 6 * digit)) & 63];
  }
  return text;
}

interface Place {
  endpoint: EndpointHandle;
  mr: { mr: number };
}

/** At most `MEMORY_PIECE_BYTES`. */
export async function readBytes(
  { endpoint, mr }: Place,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  return bytesOfBase64((await endpoint.call('readMemory', { mr: mr.mr, offset, length })).base64);
}

/** At most `MEMORY_PIECE_BYTES`. */
export async function writeBytes({ endpoint, mr }: Place, offset: number, bytes: Uint8Array): Promise<void> {
  await endpoint.call('writeMemory', { mr: mr.mr, offset, base64: base64OfBytes(bytes) });
}
