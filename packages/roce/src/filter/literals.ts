import { hex, parseIpv4, parseIpv6, parseMac, utf8Bytes } from '../base/bytes.js';
import type { Word } from './ast.js';
import { FilterError } from './error.js';
import type { FilterField, FilterType, FilterValue } from './fields.js';

/** A value as a filter states it. */
export interface Literal {
  value: FilterValue;
  /** Number of address bits to compare, if the address has a prefix length. */
  prefix?: number;
}

/** The left side of a comparison: a field, or some of its bytes or bits. */
export interface Wanted extends Pick<FilterField, 'type' | 'max' | 'values'> {
  /** Name in the filter, for messages. */
  name: string;
}

const EXAMPLES: Readonly<Record<FilterType, [kind: string, example: string]>> = {
  uint: ['a number', '17` or `0x11'],
  uint64: ['a number', '17` or `0x11'],
  bool: ['a flag', 'true` or `false'],
  time: ['a time in seconds', '1.5'],
  string: ['text', '"text"'],
  ether: ['a hardware address', '52:54:00:12:34:56'],
  ipv4: ['an IPv4 address', '10.0.0.1` or `10.0.0.0/8'],
  ipv6: ['an IPv6 address', 'fe80::1` or `fe80::/10'],
  bytes: ['a byte string', '0a:ff` or `"text"'],
  protocol: ['a byte string', '0a:ff` or `"text"'],
};

/** Returns the value of a word in a comparison with `wanted`. Throws a FilterError. */
export function literalOf(word: Word, wanted: Wanted): Literal {
  const literal = read(word, wanted);
  if (literal !== null) return literal;
  const [kind, example] = EXAMPLES[wanted.type];
  throw new FilterError(
    `\`${wanted.name}\` holds ${kind}, but \`${word.text}\` is not one.`,
    named(word, wanted) ?? bytesOfNumber(word, wanted) ?? `Write it as \`${example}\`.`,
    word.at,
    word.end,
  );
}

function read(word: Word, wanted: Wanted): Literal | null {
  const { text, quoted } = word;
  switch (wanted.type) {
    case 'uint':
    case 'uint64':
      return quoted ? null : number(word, wanted);
    case 'bool':
      return flag(text);
    case 'time':
      return quoted ? null : time(text);
    case 'string':
      return { value: text };
    case 'ipv4':
      return address(text, 32, parseIpv4);
    case 'ipv6':
      return address(text, 128, parseIpv6);
    case 'ether': {
      const value = macBytes(text);
      return value && { value };
    }
    case 'bytes':
    case 'protocol': {
      const value = quoted ? utf8Bytes(text) : byteString(text);
      return value && { value };
    }
  }
}

/** The number in Wireshark's notation, where a leading 0 means octal. Null for anything else. */
export function wholeNumber(text: string): bigint | null {
  if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text.slice(1)}`);
  return /^(\d+|0x[0-9a-f]+|0b[01]+)$/i.test(text) && text.length <= 66 ? BigInt(text.toLowerCase()) : null;
}

function number(word: Word, { name, type, max }: Wanted): Literal | null {
  const value = wholeNumber(word.text);
  const out = (relation: string) =>
    new FilterError(
      `\`${word.text}\` is ${relation}: \`${name}\` ranges from 0 to ${max}.`,
      'Write a number in this range.',
      word.at,
      word.end,
    );
  if (value === null) {
    if (/^-\d+$/.test(word.text)) throw out('too small');
    return null;
  }
  if (value > max) throw out('too large');
  return { value: type === 'uint64' ? value : Number(value) };
}

function flag(text: string): Literal | null {
  if (/^(true|1)$/i.test(text)) return { value: 1 };
  return /^(false|0)$/i.test(text) ? { value: 0 } : null;
}

function time(text: string): Literal | null {
  const m = /^(-?)(\d{1,18})(?:\.(\d{1,9}))?$/.exec(text);
  if (!m) return null;
  const ns = BigInt(m[2]!) * 1_000_000_000n + BigInt((m[3] ?? '').padEnd(9, '0'));
  return { value: m[1] ? -ns : ns };
}

function address(text: string, bits: number, parse: (text: string) => Uint8Array | null): Literal | null {
  const [, host, length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const value = host === undefined ? null : parse(host);
  if (!value || (length !== undefined && Number(length) > bits)) return null;
  return length === undefined ? { value } : { value, prefix: Number(length) };
}

function macBytes(text: string): Uint8Array | null {
  const dotted = /^([0-9a-f]{4})\.([0-9a-f]{4})\.([0-9a-f]{4})$/i.test(text);
  return dotted ? byteString(text.replaceAll('.', '')) : parseMac(text.replaceAll('-', ':'));
}

/** `0a:ff`, `0a-ff`, `0a.ff`, `0aff`, and `0x0a` for one byte. */
function byteString(text: string): Uint8Array | null {
  const digits = /^0x[0-9a-f]{2}$/i.test(text) ? text.slice(2) : text;
  const m = /^[0-9a-f]{2}(?:([:.-]?)[0-9a-f]{2}(?:\1[0-9a-f]{2})*)?$/i.exec(digits);
  if (!m) return null;
  const pairs = digits.replace(/[:.-]/g, '').match(/../g)!;
  return Uint8Array.from(pairs, (pair) => parseInt(pair, 16));
}

/** Advice that states the number, if the word is the name of a value. */
function named({ text }: Word, { name, values }: Wanted): string | undefined {
  const wanted = text.toLowerCase();
  for (const [value, label] of values ?? [])
    if (label.toLowerCase() === wanted) return `Write \`${name} == ${value}\` for ${label}.`;
  return undefined;
}

function bytesOfNumber({ text, quoted }: Word, { type }: Wanted): string | undefined {
  if (quoted || type !== 'bytes') return undefined;
  const digits = /^0x([0-9a-f]+)$/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const even = digits.length % 2 ? `0${digits}` : digits;
  return `Write its bytes: \`${even.match(/../g)!.join(':').toLowerCase()}\`.`;
}

/** Bytes as a filter states them: `0a:ff`. */
export const bytesText = (bytes: Uint8Array): string => hex(bytes).replace(/..(?=.)/g, '$&:');
