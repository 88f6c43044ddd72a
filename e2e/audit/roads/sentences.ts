// Sentences with figures: their shapes, and the expected values of their parts.
import type { Claim } from '../claim.js';
import { MEASURED, type Evidence, type Measured } from '../evidence.js';
import { COUNTERS_ROAD, linkOf } from '../links.js';
import { medianOf, type Round } from '../loops.js';

export type Parts = Record<string, string>;
export interface Sentence {
  shape: RegExp;
  /**
   * Check of the sentence. Missing for a sentence without a figure that its place proves; only the shape is compared
   * then.
   */
  holds?: (claim: Claim, evidence: Evidence, parts: Parts) => void;
}

export const INTERVALS = 'the intervals of all rounds that count';
export const goodput = (round: Round): number => round.goodputGbps;
export const cost = (round: Round): number => round.cpu.sum;
export const kernelShare = (cpu: Round['cpu']): number => (cpu.kernel / cpu.sum) * 100;

/** Words instead of a ratio if the ranges over the rounds overlap. */
export const UNCLEAR = 'no clear difference';
export const VERBS = 'RDMA over UDP|RDMA over shared memory';

/**
 * Pattern of a sentence. `{r}` stands for a figure by the name r; `{who}` and `{other}` for RDMA over a link;
 * `{verdict}` and `{otherVerdict}` for a ratio, or for words that there is no clear difference.
 */
export const shape = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.()?]/g, '\\$&')
      .replace(/\{(who|other)\}/g, `(?<$1>${VERBS})`)
      .replace(/\{again\}/g, '\\k<who>')
      .replace(/\{(verdict|otherVerdict)\}/g, `(?<$1>\\d[\\d.,]*×|${UNCLEAR})`)
      .replace(/\{(\w+)\}/g, '(?<$1>\\d[\\d.,]*(?: (?:ns|µs|ms|s|B|KiB|MiB))?)')}$`,
  );

/** The transport that a sentence names, if it went over that link. */
export function over(claim: Claim, evidence: Evidence, name: string | undefined): 'rdma' | 'shm' {
  const transport = name === 'RDMA over UDP' ? 'rdma' : 'shm';
  const link = transport === 'rdma' ? 'udp' : 'shm';
  claim.equal(String(linkOf(evidence, transport)), COUNTERS_ROAD, link);
  return transport;
}

function overlap(
  evidence: Evidence,
  pair: readonly [Measured, Measured],
  of: (round: Round) => number,
): boolean {
  const [a, b] = pair.map((transport) => evidence.rounds(transport).map(of).filter(Number.isFinite));
  return Math.min(...a!) <= Math.max(...b!) && Math.min(...b!) <= Math.max(...a!);
}

export function ratio(
  evidence: Evidence,
  pair: readonly [Measured, Measured],
  of: (round: Round) => number,
): number {
  return medianOf(evidence.rounds(pair[0]), of) / medianOf(evidence.rounds(pair[1]), of);
}

/** Checks the parts of a sentence that are medians of a transport, and the ends of their range. */
function medians(
  claim: Claim,
  evidence: Evidence,
  parts: Parts,
  of: (round: Round) => number,
  transport: Measured,
  [median, least, most]: readonly [median: string, least?: string, most?: string],
): void {
  const rounds = evidence.rounds(transport);
  const values = rounds.map(of);
  if (parts[median] !== undefined) claim.figure(medianOf(rounds, of), INTERVALS, parts[median]);
  if (least) claim.figure(Math.min(...values), INTERVALS, parts[least]);
  if (most) claim.figure(Math.max(...values), INTERVALS, parts[most]);
}

/** Checks the medians of two transports, `r` and `t`, and their ranges where the sentence has them. */
export function mediansOfPair(
  claim: Claim,
  evidence: Evidence,
  parts: Parts,
  of: (round: Round) => number,
  [one, other]: readonly [Measured, Measured],
): void {
  medians(claim, evidence, parts, of, one, parts.rmin ? ['r', 'rmin', 'rmax'] : ['r']);
  medians(claim, evidence, parts, of, other, parts.tmin ? ['t', 'tmin', 'tmax'] : ['t']);
}

/** Checks a comparison of RDMA over a link with TCP: `r` of RDMA, `t` of TCP, `x` their ratio, `n` the rounds. */
export function versusTcp(
  claim: Claim,
  evidence: Evidence,
  parts: Parts,
  of: (round: Round) => number,
): readonly [Measured, Measured] {
  const pair = [over(claim, evidence, parts.who), 'tcp'] as const;
  mediansOfPair(claim, evidence, parts, of, pair);
  if (parts.x !== undefined) claim.figure(ratio(evidence, pair, of), `${INTERVALS}, over TCP's`, parts.x);
  if (parts.n !== undefined)
    claim.count(evidence.rounds(pair[0]).length, 'the rounds in the stream', parts.n);
  return pair;
}

/** Probability that the ranges of n and m values do not overlap if nothing differs: 2 n! m! / (n + m)!. */
export function chanceApart(n: number, m: number): number {
  const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));
  return (2 * factorial(n) * factorial(m)) / factorial(n + m);
}

/** Number of verdicts in the bulk lab: goodput and CPU time of three pairs of transports. */
const VERDICTS_OF_BULK = 6;

/**
 * Checks that there are too few rounds for a verdict: chance would explain more than 5 % over all verdicts of the page.
 */
export function tooFew(
  claim: Claim,
  evidence: Evidence,
  [one, other]: readonly [Measured, Measured],
  expected: boolean,
): void {
  const [n, m] = [one, other].map((each) => evidence.rounds(each).length);
  claim.equal(
    String(chanceApart(n!, m!) > 0.05 / VERDICTS_OF_BULK),
    'the rounds in the stream are too few',
    String(expected),
  );
}

export const oneRound = (claim: Claim, evidence: Evidence): void =>
  claim.holds(
    MEASURED.every((each) => evidence.rounds(each).length <= 1),
    'the rounds in the stream',
    'more than one',
  );

export function overlapping(
  claim: Claim,
  evidence: Evidence,
  pair: readonly [Measured, Measured],
  of: (round: Round) => number,
  expected: boolean,
): void {
  tooFew(claim, evidence, pair, false);
  claim.equal(
    String(overlap(evidence, pair, of)),
    'whether the ranges over the rounds overlap',
    String(expected),
  );
}

export function sentenceBySentence(claim: Claim, evidence: Evidence, known: readonly Sentence[]): void {
  for (const text of claim.text.split(/(?<=\.) /)) {
    const found = known.flatMap(({ shape: pattern, holds }) => {
      const match = pattern.exec(text);
      return match ? [{ parts: { ...match.groups }, holds }] : [];
    });
    if (found.length !== 1) claim.fail('the sentences that the audit knows', `${found.length} of them`, text);
    found[0]!.holds?.(claim, evidence, found[0]!.parts);
  }
}
