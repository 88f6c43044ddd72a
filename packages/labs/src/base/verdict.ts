/**
 * Verdicts: one measured figure is higher than another, or chance explains the difference. Each verdict that a page
 * states comes from here. Pure functions.
 */
import { overlap } from '@verbslab/protocol';
import { formatNumber, noun, plural } from './format.js';
import type { Stat } from './sweep.js';

/** Chance that a page calls some difference clear although nothing differs, over all verdicts of the page together. */
const FALSE_CLEAR = 0.05;

/** `few`: this few repetitions could not show a difference, whatever they measured. */
export type Verdict = 'higher' | 'lower' | 'unclear' | 'few';

/** n! m! / (n + m)!: the chance that n given values of n + m in random order are the smallest. */
function chanceOfLowest(n: number, m: number): number {
  let chance = 1;
  for (let i = 1; i <= n; i++) chance *= i / (m + i);
  return chance;
}

/** Bonferroni’s inequality: each of the `among` verdicts gets an equal part of the chance. */
const rareEnough = (chance: number, among: number): boolean => chance <= FALSE_CLEAR / among;

/** True if n and m repetitions of two settings can show a difference by ranges that do not overlap. */
export const enough = (n: number, m: number, among: number): boolean =>
  rareEnough(2 * chanceOfLowest(n, m), among);

/**
 * Repetitions of each of two settings from which their ranges can show a difference, if the page states this many
 * verdicts.
 */
export function repetitionsFor(among: number): number {
  let n = 2;
  while (!enough(n, n, among)) n++;
  return n;
}

/**
 * Compares two figures. The first is clearly higher or lower if the ranges do not overlap and the repetitions are
 * enough to make that rare by chance.
 * @param among verdicts that the page states
 */
export function compare(a: Stat, b: Stat, among: number): Verdict {
  if (!enough(a.n, b.n, among)) return 'few';
  if (overlap(a, b)) return 'unclear';
  return a.value > b.value ? 'higher' : 'lower';
}

/** Text of the verdict if the ranges of the repetitions overlap. */
export const UNCLEAR = 'no clear difference';

const NO_SPREAD = 'one repetition has no spread';
const NOTHING = 'nothing completed in the measured time';

/** The reason why repetitions allow no verdict. */
export function fewText(n: number, needed: number): string {
  if (n === 0) return NOTHING;
  if (n < 2) return NO_SPREAD;
  return `${n} repetitions are too few for a verdict, ${needed} are needed`;
}

/** The reason why two figures allow no verdict. */
const fewOf = (a: Stat, b: Stat, among: number): string => fewText(Math.min(a.n, b.n), repetitionsFor(among));

/** The reason why a difference is not clear; null where it is. */
export function doubtOf(a: Stat, b: Stat, among: number): string | null {
  const verdict = compare(a, b, among);
  if (verdict === 'few') return fewOf(a, b, among);
  return verdict === 'unclear' ? UNCLEAR : null;
}

/** `1.8×`, with the reason where repetitions are too few, or that the ranges overlap. */
export function ratioText(a: Stat, b: Stat, among: number): string {
  const verdict = compare(a, b, among);
  if (verdict === 'unclear') return UNCLEAR;
  if (!Number.isFinite(a.value / b.value)) return NOTHING;
  const ratio = `${formatNumber(a.value / b.value)}×`;
  return verdict === 'few' ? `${ratio}; ${fewOf(a, b, among)}` : ratio;
}

/**
 * Compares the first of several figures with all others: clearly the highest or lowest if its range lies apart from
 * every other range.
 * @param among verdicts of this kind that the page states
 */
export function extreme(first: Stat, others: readonly Stat[], among: number): Verdict {
  const beside = others.reduce((sum, { n }) => sum + n, 0);
  // Each of the settings might have been the extreme one.
  if (!rareEnough((others.length + 1) * chanceOfLowest(first.n, beside), among)) return 'few';
  if (others.every(({ min }) => first.max < min)) return 'lower';
  return others.every(({ max }) => first.min > max) ? 'higher' : 'unclear';
}

/**
 * Compares the distance between two runs with that within them. The runs differ if they lie further apart than any two
 * rounds of the same run. `n` and `m`: rounds of the runs. @param among verdicts of this kind that the page states
 */
export function furtherApart(
  distance: number,
  withinRuns: number,
  [n, m]: readonly [number, number],
  among: number,
): 'further' | 'unclear' | 'few' {
  if (!enough(n, m, among)) return 'few';
  return distance > withinRuns ? 'further' : 'unclear';
}

/** Times of the rounds of one way; both ways have the same rounds. */
type Times = readonly number[];

/** Rounds that each way won; a tie counts for neither. */
export function roundsWon(first: Times, second: Times): { first: number; second: number } {
  const won = { first: 0, second: 0 };
  for (const [round, time] of first.entries()) {
    const other = second[round]!;
    if (time < other) won.first++;
    else if (other < time) won.second++;
  }
  return won;
}

/** The chance that one of two equal ways wins `wins` of `rounds`, or more: the two-sided sign test. */
function chanceOfWins(wins: number, rounds: number): number {
  let combinations = 1;
  let sum = 0;
  for (let lost = 0; lost <= rounds - wins; lost++) {
    sum += combinations;
    combinations = (combinations * (rounds - lost)) / (lost + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** rounds);
}

/** Rounds from which winning all of them is a verdict, if the page states this many. */
export function roundsFor(among: number): number {
  let rounds = 2;
  while (!rareEnough(chanceOfWins(rounds, rounds), among)) rounds++;
  return rounds;
}

export type Faster = 'first' | 'second' | 'unclear' | 'few';

/** The way that won clearly more of `rounds`; the rest were ties. @param among verdicts that the page states */
export function winnerOf(won: { first: number; second: number }, rounds: number, among: number): Faster {
  if (rounds < roundsFor(among)) return 'few';
  const most = Math.max(won.first, won.second);
  if (!rareEnough(chanceOfWins(most, won.first + won.second), among)) return 'unclear';
  return won.first > won.second ? 'first' : 'second';
}

/**
 * The way that is clearly faster, as it won most of the rounds in which both were measured.
 * @param among verdicts that the page states
 */
export const fasterOf = (first: Times, second: Times, among: number): Faster =>
  winnerOf(roundsWon(first, second), first.length, among);

/**
 * Verdict for a cell of a table: `overlapped in 8 of 9`, `unclear: overlapped in 5 of 9`, `too few rounds: overlapped
 * in 3 of 3`.
 */
export function fasterCell(
  first: Times,
  second: Times,
  among: number,
  ...[one, other]: [string, string]
): string {
  const won = roundsWon(first, second);
  const rounds = first.length;
  switch (fasterOf(first, second, among)) {
    case 'first':
      return `${one} in ${won.first} of ${rounds}`;
    case 'second':
      return `${other} in ${won.second} of ${rounds}`;
    case 'unclear':
      return `unclear: ${one} in ${won.first} of ${rounds}`;
    case 'few':
      return `too few rounds: ${one} in ${won.first} of ${rounds}`;
  }
}

/** `faster overlapped in 9 of 9 rounds`, `no clear difference, overlapped was faster in 5 of 9 rounds`. */
export function fasterText(first: Times, second: Times, among: number, ...names: [string, string]): string {
  const verdict = fasterOf(first, second, among);
  if (verdict === 'first' || verdict === 'second')
    return `faster ${fasterCell(first, second, among, ...names)} ${noun(first.length, 'round')}`;
  const won = `${names[0]} was faster in ${roundsWon(first, second).first} of ${plural(first.length, 'round')}`;
  return verdict === 'unclear'
    ? `no clear difference, ${won}`
    : `${won}, too few for a verdict (${roundsFor(among)} needed)`;
}
