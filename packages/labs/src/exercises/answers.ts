/** Verdicts on typed answers. */
import { formatBytes, formatCount } from '../base/format.js';
import { isNear, readNumber } from '../base/read-number.js';
import type { Field } from './exercise.js';

export type Verdict = 'right' | 'wrong' | 'unread';

/** The eight groups of an IPv6 address in any of its notations; null where it is none. */
export function ipv6Groups(text: string): number[] | null {
  const v4 = /^(.*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text.trim());
  let groups = text.trim().toLowerCase();
  if (v4) {
    const bytes = v4.slice(2).map(Number);
    if (bytes.some((one) => one > 255)) return null;
    const [a, b, c, d] = bytes as [number, number, number, number];
    groups = `${v4[1]!.toLowerCase()}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const halves = groups.split('::');
  if (halves.length > 2) return null;
  const [head, tail = []] = halves.map((half) => (half === '' ? [] : half.split(':'))) as [
    string[],
    string[]?,
  ];
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const all = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  return all.every((one) => /^[0-9a-f]{1,4}$/.test(one)) ? all.map((one) => parseInt(one, 16)) : null;
}

/** Hexadecimal bytes however they are separated; null if they are not a whole number of bytes. */
function bytesOf(text: string): string | null {
  const digits = text.toLowerCase().replaceAll(/0x|[\s:,-]/g, '');
  return /^(?:[0-9a-f]{2})+$/.test(digits) ? digits : null;
}

function normal(form: 'ipv6' | 'bytes', text: string): string | null {
  return form === 'bytes' ? bytesOf(text) : (ipv6Groups(text)?.join(':') ?? null);
}

export function judge(field: Field, typed: string): Verdict {
  if (typed.trim() === '') return 'unread';
  switch (field.kind) {
    case 'choice':
      return typed === field.answer ? 'right' : 'wrong';
    case 'text': {
      const given = normal(field.form, typed);
      if (given === null) return 'unread';
      return given === normal(field.form, field.answer) ? 'right' : 'wrong';
    }
    case 'number': {
      const given = readNumber(typed, field.unit);
      if (given === null) return 'unread';
      return isNear(given, field.answer, field.tolerance) ? 'right' : 'wrong';
    }
  }
}

/** The right answer, as it would be typed. */
export function answerText(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return field.options.find(({ id }) => id === field.answer)!.text;
    case 'text':
      return field.answer;
    case 'number': {
      const { answer, unit, hex } = field;
      if (hex) return `0x${answer.toString(16)}`;
      if (unit === 'B') {
        const exact = `${formatCount(answer)} B`;
        const short = formatBytes(answer);
        return short === exact ? exact : `${exact} = ${short}`;
      }
      const number = Number.isInteger(answer) ? formatCount(answer) : String(Number(answer.toPrecision(4)));
      return unit === undefined ? number : `${number} ${unit}`;
    }
  }
}

/** Input that a field takes, if that is not clear from its unit. Null for a choice. */
export function hint(field: Field): string | null {
  if (field.kind === 'choice') return null;
  if (field.kind === 'text') return field.form === 'ipv6' ? 'an IPv6 address' : 'bytes in hexadecimal';
  if (field.unit === 'B') return 'B, KiB, MiB or 0x…';
  if (field.unit === 's') return 's, ms or µs';
  if (field.hex) return '0x… or decimal';
  return field.unit ?? null;
}
