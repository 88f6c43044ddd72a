/** Twelve bytes of private data: commands carry them in base64, and zeros may follow what arrives. */
import { BASE64_DIGITS } from '../endpoints/words.js';

const BYTES = 12;

/** Three hex digits are 12 bits, as two digits of base64 are. */
export const base64OfHex = (hex: string): string =>
  hex.replace(/[0-9a-f]{3}/g, (three) => {
    const bits = parseInt(three, 16);
    return BASE64_DIGITS.charAt(bits >> 6) + BASE64_DIGITS.charAt(bits & 63);
  });

/** Of the first twelve bytes; shorter if fewer came. */
export function hexOfBase64(base64: string): string {
  const digits = base64.replaceAll('=', '').slice(0, (BYTES * 8) / 6);
  return digits.replace(/../g, ([a = '', b = '']) =>
    (BASE64_DIGITS.indexOf(a) * 64 + BASE64_DIGITS.indexOf(b)).toString(16).padStart(3, '0'),
  );
}

/** {addr u64, rkey u32}, big-endian. */
export const remoteOfHex = (hex: string): { addr: string; rkey: number } => ({
  addr: `0x${BigInt(`0x${hex.slice(0, 16) || '0'}`).toString(16)}`,
  rkey: parseInt(hex.slice(16, 24) || '0', 16),
});

/** Text of up to twelve characters, filled up with spaces. */
export const hexOfText = (text: string): string =>
  Array.from(text.padEnd(BYTES), (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');

export const textOfHex = (hex: string): string =>
  hex.replace(/../g, (byte) => String.fromCharCode(parseInt(byte, 16))).trimEnd();
