/** Bytes as commands carry them. Runs where there is no Buffer. */
import { BASE64_DIGITS } from './words.js';

/** Bytes of a group of digits. */
const GROUP = 3;

export function base64OfBytes(bytes: Uint8Array): string {
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += GROUP) {
    const bits = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => BASE64_DIGITS[(bits >> shift) & 63]!);
    const used = Math.min(GROUP, bytes.length - at) + 1;
    groups.push(
      digits
        .slice(0, used)
        .join('')
        .padEnd(GROUP + 1, '='),
    );
  }
  return groups.join('');
}

export function bytesOfBase64(base64: string): Uint8Array {
  const digits = base64.replace(/=+$/, '');
  const bytes = new Uint8Array(Math.floor((digits.length * 6) / 8));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (const digit of digits) {
    bits = ((bits << 6) | BASE64_DIGITS.indexOf(digit)) & 0xfff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at++] = (bits >> count) & 0xff;
  }
  return bytes;
}
