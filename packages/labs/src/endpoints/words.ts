/** 64-bit words in the memory of an endpoint, least significant byte first, as atomics and most CPUs have them. */
import type { EndpointHandle } from '@verbslab/protocol';

export const WORD_BYTES = 8;

export const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = 11;
/** Eleven digits hold 66 bits, two more than a word. */
const SPARE_BITS = 2n;

const swapped = (value: bigint): bigint => {
  let out = 0n;
  for (let i = 0n; i < 64n; i += 8n) out = (out << 8n) | ((value >> i) & 0xffn);
  return out;
};

/** The eight bytes of a word, as commands carry them. */
export function base64OfWord(value: bigint): string {
  const bits = swapped(BigInt.asUintN(64, value)) << SPARE_BITS;
  let text = '';
  for (let i = SEXTETS - 1; i >= 0; i--) text += BASE64_DIGITS[Number((bits >> BigInt(6 * i)) & 63n)];
  return `${text}=`;
}

export function wordOfBase64(base64: string): bigint {
  let bits = 0n;
  for (const digit of base64.slice(0, SEXTETS)) bits = (bits << 6n) | BigInt(BASE64_DIGITS.indexOf(digit));
  return swapped(bits >> SPARE_BITS);
}

interface Place {
  endpoint: EndpointHandle;
  mr: { mr: number };
}

export async function readWord({ endpoint, mr }: Place, offset: number): Promise<bigint> {
  return wordOfBase64((await endpoint.call('readMemory', { mr: mr.mr, offset, length: WORD_BYTES })).base64);
}

export async function writeWord({ endpoint, mr }: Place, offset: number, value: bigint): Promise<void> {
  await endpoint.call('writeMemory', { mr: mr.mr, offset, base64: base64OfWord(value) });
}
