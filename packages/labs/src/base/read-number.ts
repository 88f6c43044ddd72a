/** Answers as people type them: with or without a unit, in the unit of the question or in another of its kind. */
import { parseQuantity } from '@verbslab/protocol';

/** Units whose other prefixes an answer may have, each in the unit that `parseQuantity` converts to. */
const CONVERTED: Readonly<Record<string, { of: 'B' | 's'; size: number }>> = {
  KiB: { of: 'B', size: 2 ** 10 },
  MiB: { of: 'B', size: 2 ** 20 },
  GiB: { of: 'B', size: 2 ** 30 },
  ms: { of: 's', size: 1e-3 },
  µs: { of: 's', size: 1e-6 },
  ns: { of: 's', size: 1e-9 },
};

const DECIMAL: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** `Gb/s`, `k msg/s`, `M/s`: a decimal prefix, and the unit that is counted per second. */
const RATE = /^([kKMGT]?)\s*(b|msg)?\/s$/;

/** `25 Mb/s` where Gb/s are asked for. MB/s are another quantity than Mb/s. */
function readRate(plain: string, unit: string): number | null {
  const asked = RATE.exec(unit);
  const typed = /^(\S+?)\s*([kKMGT]?\s*(?:b|msg)?\/s)$/.exec(plain);
  const given = typed && RATE.exec(typed[2]!);
  if (!asked || !given || asked[2] !== given[2]) return null;
  const value = parseQuantity(typed[1]!, undefined);
  return value === null ? null : (value * DECIMAL[given[1]!]!) / DECIMAL[asked[1]!]!;
}

/** `1 packet` where packets are counted, and units of several words. */
function withoutWord(plain: string, unit: string): string {
  const lower = plain.toLowerCase();
  const word = [unit, unit.replace(/s$/, '')].find((one) => one !== '' && lower.endsWith(one.toLowerCase()));
  return word === undefined ? plain : plain.slice(0, -word.length);
}

/**
 * A number as people write it: `2 MiB`, `2,097,152`, `0x200000`, `0.05 ms`, `25 Mb/s`.
 *
 * @param unit - of the number that is returned; one that is typed without a unit has it
 * @returns null where it is no number, or one of something else
 */
export function readNumber(text: string, unit?: string): number | null {
  const plain = text.trim().replaceAll(',', '').replaceAll('μ', 'µ').replaceAll(/\s+/g, ' ');
  const value = parseQuantity(plain, unit);
  if (value !== null || unit === undefined) return value;
  const converted = CONVERTED[unit];
  if (converted) {
    const base = parseQuantity(plain, converted.of);
    return base === null ? null : base / converted.size;
  }
  if (unit === 'B' || unit === 's') return null;
  return readRate(plain, unit) ?? parseQuantity(withoutWord(plain, unit), undefined);
}

/** True if a number equals the answer within a relative `tolerance`. */
export const isNear = (given: number, answer: number, tolerance: number): boolean =>
  Math.abs(given - answer) <= Math.abs(answer) * tolerance + 1e-9;
