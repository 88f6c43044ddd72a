/** Rules of the clinic: evidence costs points, and each case has one diagnosis. */
import type { CategoryId, ClinicCase } from '@verbslab/labs';

export const EVIDENCE = [
  { id: 'calls', title: 'Calls', text: 'of both programs' },
  { id: 'memory', title: 'Memory', text: 'regions and ranges' },
  { id: 'packets', title: 'Packets', text: 'on the wire' },
  { id: 'counters', title: 'Counters', text: 'that moved' },
  { id: 'events', title: 'Events', text: 'asynchronous, and more' },
] as const;
export type EvidenceId = (typeof EVIDENCE)[number]['id'];

/** Points of a diagnosis that needs no evidence besides the symptom. Every piece costs one, but a right answer has one left. */
export const MOST_POINTS = 6;

export const pointsFor = (right: boolean, opened: number): number =>
  right ? Math.max(1, MOST_POINTS - opened) : 0;

/** A finished case. */
export interface Solved {
  case: string;
  right: boolean;
  points: number;
}

/** Number of right diagnoses since the last wrong one. */
export function inARow(solved: readonly Solved[]): number {
  const last = solved.findLastIndex(({ right }) => !right);
  return solved.length - 1 - last;
}

export interface Tally {
  id: CategoryId;
  title: string;
  /** The last diagnosis of each case of the category; null for a case that was not met. */
  cases: readonly (boolean | null)[];
}

export function tallies(
  cases: readonly ClinicCase[],
  categories: readonly { id: CategoryId; title: string }[],
  solved: readonly Solved[],
): Tally[] {
  const last = new Map(solved.map((one) => [one.case, one.right]));
  return categories.map(({ id, title }) => ({
    id,
    title,
    // Cases that were met come first, so that a square does not name its case.
    cases: cases
      .filter(({ category }) => category === id)
      .map((one) => last.get(one.id) ?? null)
      .sort((a, b) => Number(a === null) - Number(b === null)),
  }));
}

/** The answers in an order that the seed decides, so that their places tell nothing. */
export function answersInOrder(answers: readonly string[], seed: number): string[] {
  // An FNV-1a hash of seed and name.
  const rank = (id: string): number =>
    [...`${seed} ${id}`].reduce(
      (hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0,
      0x811c9dc5,
    );
  return [...answers].sort((a, b) => rank(a) - rank(b));
}
