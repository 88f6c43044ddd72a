// The runs of a page that compares them: their figures by the raw records, with the range over the rounds.
import type { Claim } from '../claim.js';
import { Evidence, MEASURED } from '../evidence.js';
import { itemsOf } from '../export.js';
import { middle } from '../figures.js';
import { costsOf, latenciesIn, medianCost, percentile, type Round, type Share } from '../loops.js';
import { slotOf } from './figures.js';
import { chanceApart } from './sentences.js';

export const RECORDS = 'the raw records of the run';
export const LETTERS = 'ABCDEF';

/** Runs of the page, in its order. Each evidence has all of them as peers. */
export function runsOf(evidence: Evidence): Evidence[] {
  return evidence.peers.map((data) => (data.run.id === evidence.data.run.id ? evidence : known(data)));
}

const others = new WeakMap<object, Evidence>();
function known(data: Evidence['data']): Evidence {
  const made = others.get(data) ?? new Evidence(data, null);
  others.set(data, made);
  return made;
}

export const byLetter = (claim: Claim, evidence: Evidence, letter: string): Evidence =>
  runsOf(evidence)[LETTERS.indexOf(letter)] ??
  claim.fail('the runs of the page', 'none of that letter', letter);

export const byId = (claim: Claim, evidence: Evidence, id: string): Evidence =>
  runsOf(evidence).find(({ data }) => data.run.id === id) ??
  claim.fail('the runs of the page', 'none of that id', id);

interface Found {
  value: number | null;
  /** Range over the rounds, or as the lab filled it in. */
  range: readonly [number, number] | null;
  /** Rounding of the recorder, in the unit of the figure. */
  slack: number;
  /** Number of rounds behind the range. */
  n: number;
}

const OF_ROUND: Readonly<Record<string, (round: Round) => number>> = {
  goodput: (round) => round.goodputGbps,
  messages: (round) => round.messagesPerSecond,
  cpu: (round) => round.cpu.sum,
};

const spanOf = (values: readonly number[]): readonly [number, number] | null =>
  values.length > 1 ? [Math.min(...values), Math.max(...values)] : null;

/** Returns a figure: `rdma.goodput`, or a figure that the lab names. */
export function figureOf(claim: Claim, evidence: Evidence, name: string): Found {
  const [head, of = ''] = name.split('.');
  const transport = MEASURED.find((one) => one === head);
  if (!transport) {
    const event = itemsOf(evidence.data, 'figure').findLast((figure) => figure.name === name);
    const { value = null, min, max, n = 2 } = event ?? {};
    return { value, range: min === undefined || max === undefined ? null : [min, max], slack: 0, n };
  }
  const rounds = evidence.rounds(transport);
  const n = rounds.length;
  const each = OF_ROUND[of];
  if (each) {
    if (rounds.length === 0) return { value: null, range: null, slack: 0, n };
    const values = of === 'cpu' ? costsOf(rounds).map((cpu) => cpu.sum) : rounds.map(each);
    const value = of === 'cpu' ? medianCost(rounds).sum : middle(values);
    return { value, range: spanOf(values), slack: 0, n };
  }
  if (rounds.length === 0) return { value: null, range: null, slack: 0, n };
  const latencies = evidence.latencies(transport);
  const ns = percentile(latencies, of as Share);
  if (ns === null) return { value: null, range: null, slack: 0, n };
  const ofRounds = rounds.flatMap(
    (round) => percentile(latenciesIn(evidence.data, round), of as Share) ?? [],
  );
  const range = ofRounds.length < rounds.length ? null : spanOf(ofRounds.map((each) => each / 1000));
  const widest = Math.max(ns, ...ofRounds);
  return { value: ns / 1000, range, slack: slotOf(widest, latencies.slot) / 1000, n };
}

type Ranged = Pick<Found, 'range' | 'slack' | 'n'>;

const OF_TRANSPORT = ['goodput', 'messages', 'cpu', 'p50', 'p99'];

/** Number of verdicts that the page may state: for each pair of runs with a range, and each figure. */
export function verdictsOf(claim: Claim, evidence: Evidence): number {
  const runs = runsOf(evidence);
  const declared = runs.flatMap(({ data }) => itemsOf(data, 'figure').map(({ name }) => name));
  const names = [
    ...MEASURED.flatMap((one) => OF_TRANSPORT.map((of) => `${one}.${of}`)),
    ...new Set(declared),
  ];
  const pairs = names.map((name) => {
    const ranged = runs.filter((one) => figureOf(claim, one, name).range !== null).length;
    return (ranged * (ranged - 1)) / 2;
  });
  return Math.max(
    1,
    pairs.reduce((sum, each) => sum + each, 0),
  );
}

/** True if there are too few repetitions for a verdict. */
export const few = (claim: Claim, evidence: Evidence, a: Ranged, b: Ranged): boolean =>
  a.range === null || b.range === null || chanceApart(a.n, b.n) > 0.05 / verdictsOf(claim, evidence);

/** True if the ranges overlap. `give`: slots of the recorders to add to the ranges, or with a minus to take off. */
export const overlaps = (a: Ranged, b: Ranged, give: 1 | 0 | -1): boolean => {
  if (a.range === null || b.range === null) return false;
  const slack = give * (a.slack + b.slack);
  return a.range[0] <= b.range[1] + slack && b.range[0] <= a.range[1] + slack;
};
