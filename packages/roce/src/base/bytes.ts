/** Reading and writing numbers and addresses in byte arrays. Network byte order throughout. */

/** Big-endian unsigned number of 1 to 4 bytes. The caller has checked the bounds. */
export function readUint(b: Uint8Array, at: number, length: number): number {
  let v = 0;
  for (let i = 0; i < length; i++) v = v * 256 + b[at + i]!;
  return v;
}

export function writeUint(b: Uint8Array, at: number, length: number, value: number): void {
  for (let i = length - 1; i >= 0; i--) {
    b[at + i] = value & 0xff;
    value = Math.floor(value / 256);
  }
}

export const u16 = (b: Uint8Array, at: number): number => (b[at]! << 8) | b[at + 1]!;
export const u24 = (b: Uint8Array, at: number): number => (b[at]! << 16) | (b[at + 1]! << 8) | b[at + 2]!;
export const u32 = (b: Uint8Array, at: number): number =>
  ((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0;
export const u64 = (b: Uint8Array, at: number): bigint =>
  (BigInt(u32(b, at)) << 32n) | BigInt(u32(b, at + 4));

export function writeU64(b: Uint8Array, at: number, value: bigint): void {
  writeUint(b, at, 4, Number((value >> 32n) & 0xffffffffn));
  writeUint(b, at + 4, 4, Number(value & 0xffffffffn));
}

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

/** `0a ff` as `0aff`; at most `limit` bytes, then an ellipsis. */
export function hex(b: Uint8Array, limit = Infinity): string {
  const n = Math.min(b.length, limit);
  let s = '';
  for (let i = 0; i < n; i++) s += HEX[b[i]!];
  return n < b.length ? s + '…' : s;
}

/** `0x` and at least `digits` hexadecimal digits. */
export function hexNumber(v: number | bigint, digits: number): string {
  return '0x' + v.toString(16).padStart(digits, '0');
}

export function macText(b: Uint8Array, at = 0): string {
  let s = HEX[b[at]!]!;
  for (let i = 1; i < 6; i++) s += ':' + HEX[b[at + i]!];
  return s;
}

export function parseMac(s: string): Uint8Array | null {
  const m =
    /^([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2})$/i.exec(
      s,
    );
  return m ? Uint8Array.from(m.slice(1), (x) => parseInt(x, 16)) : null;
}

export function ipv4Text(b: Uint8Array, at = 0): string {
  return `${b[at]!}.${b[at + 1]!}.${b[at + 2]!}.${b[at + 3]!}`;
}

export function parseIpv4(s: string): Uint8Array | null {
  const m = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(s);
  if (!m) return null;
  const parts = m.slice(1).map(Number);
  return parts.every((p) => p <= 255) ? Uint8Array.from(parts) : null;
}

/** Canonical text of an IPv6 address or GID (RFC 5952; IPv4-mapped as `::ffff:a.b.c.d`). */
export function ipv6Text(b: Uint8Array, at = 0): string {
  if (isMappedIpv4(b, at)) return '::ffff:' + ipv4Text(b, at + 12);
  const words: number[] = [];
  for (let i = 0; i < 16; i += 2) words.push(u16(b, at + i));
  let bestStart = -1;
  let bestLength = 1; // a single zero word is not shortened
  for (let i = 0; i < 8;) {
    let j = i;
    while (j < 8 && words[j] === 0) j++;
    if (j - i > bestLength) {
      bestStart = i;
      bestLength = j - i;
    }
    i = j + 1;
  }
  const text = (ws: number[]) => ws.map((w) => w.toString(16)).join(':');
  return bestStart < 0
    ? text(words)
    : `${text(words.slice(0, bestStart))}::${text(words.slice(bestStart + bestLength))}`;
}

export function parseIpv6(s: string): Uint8Array | null {
  const out = new Uint8Array(16);
  let tail4: Uint8Array | null = null;
  if (s.includes('.')) {
    const colon = s.lastIndexOf(':');
    tail4 = parseIpv4(s.slice(colon + 1));
    if (!tail4 || colon < 0) return null;
    s = s.slice(0, colon + 1) + '0:0';
  }
  const halves = s.split('::');
  if (halves.length > 2) return null;
  const words = (part: string) => (part === '' ? [] : part.split(':'));
  const head = words(halves[0]!);
  const tail = halves.length === 2 ? words(halves[1]!) : [];
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const all = [...head, ...Array<string>(missing).fill('0'), ...tail];
  for (let i = 0; i < 8; i++) {
    if (!/^[0-9a-f]{1,4}$/i.test(all[i]!)) return null;
    writeUint(out, i * 2, 2, parseInt(all[i]!, 16));
  }
  if (tail4) out.set(tail4, 12);
  return out;
}

/** True for ::ffff:0:0/96, the form of an IPv4 address in a GID. */
export function isMappedIpv4(b: Uint8Array, at = 0): boolean {
  for (let i = 0; i < 10; i++) if (b[at + i] !== 0) return false;
  return b[at + 10] === 0xff && b[at + 11] === 0xff;
}

// The two classes exist in browsers and in Node alike, but no type library of the language itself has them.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Conversion between text and UTF-8. Invalid bytes become U+FFFD. */
export const utf8Text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const utf8Bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
