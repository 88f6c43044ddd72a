// Distances between the latencies of two runs, by the definition, over all samples of both.
import type { Claim, Roads } from '../claim.js';
import { MEASURED, type Evidence, type Measured } from '../evidence.js';
import { percentileOf } from '../figures.js';
import { latenciesOf, loopsOf } from '../loops.js';
import { runsOf } from './compared-runs.js';
import { named, slotOf } from './figures.js';
import { chanceApart } from './sentences.js';

const ROAD = 'the definition, over all samples';

/** Share of all values at or below a value. */
function shareUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

/**
 * Distance by the definition. Samples of completion records are exact; the page's lie at the upper ends of their slots.
 */
function distance(a: readonly number[], b: readonly number[]): number {
  let found = 0;
  for (const value of new Set([...a, ...b]))
    found = Math.max(found, Math.abs(shareUpTo(a, value) - shareUpTo(b, value)));
  return found;
}

/**
 * Upper bound of the error from slots: samples in one slot count as equal on the page, which moves the curves closer.
 */
function blur(a: readonly number[], slot: number): number {
  let most = 0;
  for (const value of new Set(a))
    most = Math.max(most, shareUpTo(a, value + slotOf(value, slot)) - shareUpTo(a, value));
  return most;
}

/** Widest distance between two rounds of a run; null with a single round. */
function betweenRounds({ data }: Evidence, transport: Measured): number | null {
  const rounds = loopsOf(data)
    .filter((loop) => loop.transport === transport && loop.role === 'client')
    .map((loop) => {
      const events = data.events.filter(
        (item) => !('source' in item) || item.kind === 'source' || item.source === loop.source,
      );
      const alone = events.filter((item) => item.kind !== 'source' || item.source === loop.source);
      return latenciesOf({ ...data, events: alone }, transport).sorted;
    });
  const all = rounds.flatMap((one, i) => rounds.slice(i + 1).map((other) => distance(one, other)));
  return all.length === 0 ? null : Math.max(...all);
}

function pair(
  claim: Claim,
  a: Evidence,
  b: Evidence,
  transport: Measured,
  shown: Record<string, string>,
): void {
  const [first, second] = [a, b].map((one) => one.latencies(transport));
  const slack = blur(first!.sorted, first!.slot) + blur(second!.sorted, second!.slot);
  claim.figure(distance(first!.sorted, second!.sorted), ROAD, shown.distance, slack);
  claim.count(first!.sorted.length, first!.road, shown.n);
  claim.count(second!.sorted.length, second!.road, shown.m);
  const rounds = [a, b].flatMap((one) => betweenRounds(one, transport) ?? []);
  if (rounds.length === 0) claim.equal('–', 'the rounds in the streams', shown.rounds ?? '–');
  else claim.figure(Math.max(...rounds), ROAD, shown.rounds, slack);
}

/** Number of distances on the page: for each pair of runs, and each transport with latencies in both. */
const distancesOf = (evidence: Evidence): number =>
  MEASURED.reduce((sum, transport) => {
    const runs = runsOf(evidence).filter((one) => one.latencies(transport).sorted.length > 0).length;
    return sum + (runs * (runs - 1)) / 2;
  }, 0);

export const DISTANCES: Roads<Evidence> = {
  'compare-distance': (claim, evidence) => {
    const shown = claim.match(
      /^(?<a>[A-F]) and (?<b>[A-F]) over (?<name>\S+): distance (?<distance>[\d.]+) \(n = (?<n>[\d,]+) and (?<m>[\d,]+)\)\.(?: (?<left>[\d.,]+) % of the operations of [A-F] took (?<at>\S+ \S+) at most, and (?<right>[\d.,]+) % of those of [A-F]\.)? (?:Each run has one round, so it is not known how far two rounds of one run would be apart\.|Two rounds of the same run are up to (?<rounds>[\d.]+) apart(?<verdict>, so the runs differ\.|: no clear difference\.|, but (?:one repetition has no spread|\d+ repetitions are too few for a verdict, \d+ are needed)\.))$/,
    );
    const transport = claim.data('transport') as Measured;
    const [a, b] = [claim.data('run'), claim.data('other')].map((id) =>
      runsOf(evidence).find(({ data }) => data.run.id === id)!,
    );
    pair(claim, a!, b!, transport, shown);
    if (shown.rounds !== undefined) {
      const apart = Number(shown.distance) - Number(shown.rounds);
      // Two digits are printed. Equal ones do not show the order.
      const [n, m] = [a!, b!].map((one) => one.rounds(transport).length);
      const few = chanceApart(n!, m!) > 0.05 / distancesOf(evidence);
      claim.equal(
        String(few),
        'the rounds in the streams are too few',
        String(/few|no spread/.test(shown.verdict!)),
      );
      if (!few && Math.abs(apart) > 0.01)
        claim.equal(apart > 0 ? ', so the runs differ.' : ': no clear difference.', ROAD, shown.verdict);
    }
    if (shown.left === undefined) return;
    const gap = Math.abs(Number(shown.left) - Number(shown.right)) / 100;
    // Both shares are printed with three digits, and the distance with two.
    claim.holds(Math.abs(gap - Number(shown.distance)) <= 0.015, 'the two shares', gap.toFixed(3));
  },
  'compare-distances': (claim, evidence) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal(
      'Pair,Transport,Distance,At, µs,n,Between rounds',
      'what the audit knows of it',
      head!.join(),
    );
    for (const [letters = '', name = '', apart, at, counts = '', rounds] of rows) {
      const [a, b] = letters.split(', ').map((letter) => runsOf(evidence)['ABCDEF'.indexOf(letter)]!);
      const transport = named(claim, a!, name);
      const [n, m] = counts.split(', ');
      const about = claim.about({ row: letters, transport });
      pair(about, a!, b!, transport, { distance: apart!, n: n!, m: m!, rounds: rounds! });
      const most = Math.max(...[a!, b!].map((one) => percentileOf(one.latencies(transport).sorted, 1)));
      about.holds(Number(at!.replaceAll(',', '')) * 1000 <= most * 1.001, ROAD, `${most} ns at most`);
    }
  },
};
