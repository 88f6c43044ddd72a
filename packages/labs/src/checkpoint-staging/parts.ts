/** The time that overlapping saves, and its parts, in each round. Pure functions. */

type Rounds = readonly number[];

/** Times of the same rounds, ns: both kinds of work alone, one after the other, and overlapped. */
export interface Overlap {
  compute: Rounds;
  transfer: Rounds;
  serial: Rounds;
  overlapped: Rounds;
}

/** ns, one value per round: `saved` = `waits` + `hidden`, and `hidden` is at most `bound`. */
export function partsOf({ compute, transfer, serial, overlapped }: Overlap): {
  saved: number[];
  waits: number[];
  hidden: number[];
  bound: number[];
} {
  const each = (of: (round: number) => number): number[] => serial.map((_, round) => of(round));
  const added = (round: number): number => compute[round]! + transfer[round]!;
  return {
    saved: each((round) => serial[round]! - overlapped[round]!),
    waits: each((round) => serial[round]! - added(round)),
    hidden: each((round) => added(round) - overlapped[round]!),
    bound: each((round) => Math.min(compute[round]!, transfer[round]!)),
  };
}
