import type { FilterValue } from './fields.js';
import type { Literal } from './literals.js';

/** A test of one value. */
export type Compare = (value: FilterValue) => boolean;

export function equals({ value, prefix }: Literal): Compare {
  if (!(value instanceof Uint8Array)) return (v) => v === value;
  if (prefix === undefined) return (v) => sameBytes(v as Uint8Array, value, value.length);
  const whole = prefix >> 3;
  const rest = (0xff << (8 - (prefix & 7))) & 0xff;
  return (v) => {
    const bytes = v as Uint8Array;
    for (let i = 0; i < whole; i++) if (bytes[i] !== value[i]) return false;
    return rest === 0 || ((bytes[whole]! ^ value[whole]!) & rest) === 0;
  };
}

function sameBytes(a: Uint8Array, b: Uint8Array, length: number): boolean {
  if (a.length !== length) return false;
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Numbers by size; byte strings by length first, as Wireshark has it. */
export function order(a: FilterValue, b: FilterValue): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    if (a.length !== b.length) return a.length - b.length;
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
    return 0;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

export function contains(part: FilterValue): Compare {
  if (typeof part === 'string') return (v) => (v as string).includes(part);
  const wanted = part as Uint8Array;
  return (v) => {
    const bytes = v as Uint8Array;
    const last = bytes.length - wanted.length;
    for (let at = 0; at <= last; at++) {
      at = wanted.length > 0 ? bytes.indexOf(wanted[0]!, at) : at;
      if (at < 0 || at > last) return false;
      let i = 1;
      while (i < wanted.length && bytes[at + i] === wanted[i]) i++;
      if (i >= wanted.length) return true;
    }
    return false;
  };
}
