import type { PacketMark } from './types.js';

/** The marks of a packet as bits of one number. */
export const Mark = {
  copy: 1,
  retransmission: 2,
  duplicate: 4,
  gap: 8,
  nak: 16,
  rnr: 32,
  ecn: 64,
  cnp: 128,
  'icrc-bad': 256,
  malformed: 512,
} as const satisfies Partial<Record<PacketMark, number>>;

const known = new Map<number, readonly PacketMark[]>();

/** The names of these bits. The same bits give the same list. */
export function marksOf(bits: number): readonly PacketMark[] {
  let names = known.get(bits);
  if (!names) {
    names = (Object.keys(Mark) as (keyof typeof Mark)[]).filter((name) => (bits & Mark[name]) !== 0);
    known.set(bits, names);
  }
  return names;
}

/** The bits of these names. A mark without a bit counts as none. */
export const bitsOf = (marks: readonly PacketMark[]): number =>
  marks.reduce((bits, mark) => bits | ((Mark as Partial<Record<PacketMark, number>>)[mark] ?? 0), 0);
