/**
 * The answer of a comparison: the run that moves more, costs less CPU time or has the lower latency, in a few
 * sentences.
 */
import {
  isSimulation,
  transportFigure,
  transportNameOver,
  TRANSPORTS,
  type RunRecord,
  type Transport,
} from '@verbslab/protocol';
import { repetitionsFor } from '../base/verdict.js';
import { plural } from '../base/format.js';
import { changeText, figureVerdict, isShared, verdictsAmong, type FigureRow } from './changes.js';
import type { ComparedFigure } from './figures.js';
import { letterList, letterOf, nameList } from './letters.js';

export interface ComparisonAnswer {
  /** The answer, in a sentence or two. */
  lead: string[];
  /** The figures behind it, one sentence each. */
  details: string[];
  /** Gaps in what is known of the spread; null where there is none. */
  caveat: string | null;
}

/** A figure in which one direction is better. */
interface Contest {
  figure: string;
  /** Words for the best of two runs; `most` for the best of more. */
  two: string;
  most: string;
  noun: string;
  best: 'highest' | 'lowest';
}

const isLatency = ({ figure }: Contest): boolean => figure === 'p50';

const CONTESTS: readonly Contest[] = [
  { figure: 'goodput', two: 'moves more', most: 'moves most', noun: 'goodput', best: 'highest' },
  {
    figure: 'cpu',
    two: 'spends less CPU time per GB',
    most: 'spends least CPU time per GB',
    noun: 'CPU time per GB',
    best: 'lowest',
  },
  {
    figure: 'p50',
    two: 'has the lower median latency',
    most: 'has the lowest median latency',
    noun: 'median latency',
    best: 'lowest',
  },
];

interface Entry {
  run: number;
  figure: ComparedFigure & { value: number };
}

const entriesOf = ({ figures }: FigureRow): Entry[] =>
  figures.flatMap((figure, run) =>
    figure && figure.value !== null ? [{ run, figure: { ...figure, value: figure.value } }] : [],
  );

const hasSpread = ({ stat }: ComparedFigure): boolean => stat !== null && stat.n > 1;

const withRange = ({ text, range }: ComparedFigure): string => (range === null ? text : `${text} (${range})`);

/** A figure of one transport, its runs from the best to the last. */
interface Contested {
  contest: Contest;
  row: FigureRow;
  /** Name of the transport in sentences. */
  name: string;
  sorted: Entry[];
  /** The best one, and those that do not differ clearly from it. */
  even: Entry[];
  /** The last of the others, and those that do not differ clearly from it, in the order of the runs. */
  last: Entry[];
  /** Some of the runs measured too few rounds to differ clearly. */
  few: boolean;
}

function contested(runs: readonly RunRecord[], rows: readonly FigureRow[]): Contested[] {
  const among = verdictsAmong(rows);
  return TRANSPORTS.flatMap((transport: Transport) =>
    CONTESTS.flatMap((contest) => {
      const row = rows.find(({ name }) => name === transportFigure(transport, contest.figure));
      if (!row || !isShared(row)) return [];
      const sign = contest.best === 'highest' ? -1 : 1;
      const sorted = entriesOf(row).sort((a, b) => sign * (a.figure.value - b.figure.value));
      const first = sorted[0]!;
      // The first one is the same as itself.
      const verdicts = sorted.map((one) => figureVerdict(first.figure, one.figure, among));
      const even = sorted.filter((_, i) => verdicts[i] !== 'higher' && verdicts[i] !== 'lower');
      const few = verdicts.includes('few');
      const others = sorted.filter((one) => !even.includes(one));
      const last = others
        .filter(({ figure }) => {
          const verdict = figureVerdict(others.at(-1)!.figure, figure, among);
          return verdict !== 'higher' && verdict !== 'lower';
        })
        .sort((a, b) => a.run - b.run);
      const those = runs.filter((_, i) => row.figures[i]);
      return [{ contest, row, name: transportNameOver(those, transport), sorted, even, last, few }];
    }),
  );
}

/** The winner over one transport, with the figures. */
function detail({ contest, name, sorted, even, last, few, row }: Contested, baseline: number): string {
  const { two, most, noun, best } = contest;
  const [first, second] = [sorted[0]!, sorted[1]!];
  if (few || even.length === sorted.length) {
    const inOrder = sorted.toSorted((a, b) => a.run - b.run);
    const each = inOrder.map(({ run, figure }) => `${letterOf(run)} ${withRange(figure)}`).join(', ');
    const what = few ? 'are too few rounds for a verdict' : 'is no clear difference';
    return `Over ${name}, there ${what} in ${noun} between ${letterList(inOrder.map(({ run }) => run))}: ${each}.`;
  }
  const runs = even.map(({ run }) => run).sort((a, b) => a - b);
  if (sorted.length === 2) {
    // The table's percentage: of the run that is not the baseline.
    const changed = row.changes.findIndex((change) => change !== null);
    const percent = changeText(row.changes[changed] ?? null);
    return `Over ${name}, ${letterOf(first.run)} ${two}: ${first.figure.text} against ${second.figure.text} of ${letterOf(second.run)} (${letterOf(changed)} ${percent} against ${letterOf(baseline)}).`;
  }
  const least = `${letterList(last.map(({ run }) => run))} ${last.length === 1 ? 'is' : 'are'} last with ${nameList(last.map(({ figure }) => figure.text))}`;
  if (even.length === 1)
    return `Over ${name}, ${letterOf(first.run)} ${most}: ${first.figure.text}; ${least}.`;
  const shared = even.map(({ figure }) => figure.text).join(', ');
  return `Over ${name}, ${letterList(runs)} share the ${best} ${noun}, with no clear difference from ${letterOf(first.run)}, the ${best}: ${shared}; ${least}.`;
}

/**
 * The one run that wins over all transports; `few` where rounds are too few, `none` where nothing differs clearly, `shared`
 * where several win over each, `mixed` where it depends.
 */
function winnerOf(list: readonly Contested[]): number | 'few' | 'none' | 'shared' | 'mixed' {
  if (list.some(({ few }) => few)) return 'few';
  const winners = new Set(
    list.map(({ even, sorted }) =>
      even.length === sorted.length ? 'none' : even.length === 1 ? even[0]!.run : 'shared',
    ),
  );
  return winners.size === 1 ? [...winners][0]! : 'mixed';
}

/** The sentence that holds over all transports. */
function leadOver(all: readonly Contested[], several: boolean): string[] {
  const parts = CONTESTS.flatMap((contest) => {
    const list = all.filter((one) => one.contest === contest);
    if (list.length === 0) return [];
    const where = nameList(list.map(({ name }) => name));
    return [{ contest, where, winner: winnerOf(list) }];
  });
  const verb = ({ two, most }: Contest): string => (several ? most : two);
  const [one] = parts;
  if (
    one &&
    parts.length > 1 &&
    typeof one.winner === 'number' &&
    parts.every(({ winner, where }) => winner === one.winner && where === one.where)
  )
    return [
      `${letterOf(one.winner)} ${nameList(parts.map(({ contest }) => verb(contest)))} over ${one.where}.`,
    ];
  return parts.map(({ contest, where, winner }) => {
    if (winner === 'few') return `There are too few rounds for a verdict in ${contest.noun} over ${where}.`;
    if (winner === 'none') return `There is no clear difference in ${contest.noun} over ${where}.`;
    if (winner === 'shared') return `Several runs share the ${contest.best} ${contest.noun} over ${where}.`;
    if (winner === 'mixed') return `Which run ${verb(contest)} depends on the transport.`;
    return `${letterOf(winner)} ${verb(contest)} over ${where}.`;
  });
}

/** The runs whose figures of these contests have no spread. */
const withoutSpread = (list: readonly Contested[]): number[] => {
  const entries = list.flatMap(({ sorted }) => sorted);
  const runs = entries.flatMap(({ run, figure }) => (hasSpread(figure) ? [] : [run]));
  return [...new Set(runs)].sort((a, b) => a - b);
};

/**
 * Rounds that a verdict needs: `A and B measured 3 rounds each, and a verdict on so many figures needs 6.`; null where
 * no run needs more.
 */
function roundsNeeded(all: readonly Contested[], among: number): string | null {
  const needed = repetitionsFor(among);
  const entries = all.flatMap(({ contest, sorted }) => (isLatency(contest) ? [] : sorted));
  const fewest = new Map<number, number>();
  for (const { run, figure } of entries) {
    const n = figure.stat?.n ?? 1;
    if (n < needed) fewest.set(run, Math.min(n, fewest.get(run) ?? n));
  }
  const counts = [...new Set(fewest.values())].sort((a, b) => a - b);
  if (counts.length === 0) return null;
  const each = counts.map((n) => {
    const runs = [...fewest].flatMap(([run, rounds]) => (rounds === n ? [run] : [])).sort((a, b) => a - b);
    return `${letterList(runs)} measured ${plural(n, 'round')}${runs.length > 1 ? ' each' : ''}`;
  });
  return `${each.join(', ')}. A verdict on so many figures needs ${needed}.`;
}

function caveatOf(all: readonly Contested[], among: number): string | null {
  const alone = withoutSpread(all.filter(({ contest }) => !isLatency(contest)));
  const needs = all.some(({ few }) => few) ? roundsNeeded(all, among) : null;
  // Older runs have no latency of each round, and in a short round too few samples decide a median.
  const unknown = withoutSpread(all.filter(({ contest }) => isLatency(contest))).filter(
    (run) => !alone.includes(run),
  );
  const caveats = [
    ...(needs === null ? [] : [needs]),
    ...(unknown.length === 0
      ? []
      : [
          `The median latency of ${letterList(unknown)} is over all rounds: its spread is not known, so there is no verdict on it.`,
        ]),
  ];
  return caveats.length === 0 ? null : caveats.join(' ');
}

/** What the `*` beside a difference says; null where there is none. */
export function footnoteOf(runs: readonly RunRecord[], rows: readonly FigureRow[]): string | null {
  if (!rows.some(({ changes }) => changes.some((change) => change?.verdict === 'few'))) return null;
  return runs.every(isSimulation)
    ? '* One simulation, which the same seed gives again. Another seed may give another difference.'
    : '* Too few rounds for a verdict, or its rounds do not have the figure. The difference may be chance.';
}

/** The answer for labs that measure no transports: the differences of their figures, not which is better. */
function namedAnswer(
  rows: readonly FigureRow[],
  runs: readonly RunRecord[],
  baseline: number,
): ComparisonAnswer {
  const base = letterOf(baseline);
  const lead = runs.flatMap((_, run) => {
    const changes = rows.flatMap(({ changes: all }) => all[run] ?? []);
    if (run === baseline || changes.length === 0) return [];
    const clear = changes.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower').length;
    const known = changes.filter(({ verdict }) => verdict !== 'few').length;
    if (known === 0) return [];
    const having = `${known === 1 ? 'has' : 'have'} enough repetitions`;
    return [
      clear === 0
        ? `No figure of ${letterOf(run)} that has enough repetitions differs clearly from ${base}.`
        : `${clear} of ${plural(known, 'figure')} of ${letterOf(run)} that ${having} ${clear === 1 ? 'differs' : 'differ'} clearly from ${base}.`,
    ];
  });
  const found = rows.flatMap((row) =>
    row.changes.flatMap((change, run) =>
      change && change.percent !== null && change.verdict !== 'same' && change.verdict !== 'unclear'
        ? [{ row, run, change, size: Math.abs(Math.log(1 + change.percent / 100)) }]
        : [],
    ),
  );
  // A difference that may be chance comes last, however wide it is.
  const sure = (one: (typeof found)[number]): number => Number(one.change.verdict !== 'few');
  const widest = found.sort((a, b) => sure(b) - sure(a) || b.size - a.size).slice(0, 3);
  const single = rows.filter(({ changes }) => changes.some((change) => change?.verdict === 'few'));
  const needed = repetitionsFor(verdictsAmong(rows));
  return {
    lead,
    details: widest.map(
      ({ row, run, change }) =>
        `${row.label}: ${row.figures[run]!.text} in ${letterOf(run)} against ${row.figures[baseline]!.text} in ${base} (${changeText(change)}).`,
    ),
    caveat:
      single.length === 0
        ? null
        : runs.every(isSimulation)
          ? 'A simulation gives the same figures for the same scenario and seed, so the differences come from what differs between the runs. Other seeds may give others.'
          : `${single.length === rows.length ? 'None of these figures has' : `${single.length} of ${rows.length} figures ${single.length === 1 ? 'does not have' : 'do not have'}`} the ${needed} repetitions that a verdict needs: a difference may be chance.`,
  };
}

export function comparisonAnswer(
  runs: readonly RunRecord[],
  rows: readonly FigureRow[],
  baseline: number,
): ComparisonAnswer {
  const all = contested(runs, rows);
  if (all.length > 0) {
    const details = all.map((one) => detail(one, baseline));
    const caveat = caveatOf(all, verdictsAmong(rows));
    // The figures are the answer over one transport.
    return new Set(all.map(({ name }) => name)).size === 1
      ? { lead: details, details: [], caveat }
      : { lead: leadOver(all, runs.length > 2), details, caveat };
  }
  const shared = rows.filter(isShared);
  if (shared.length > 0) {
    const answer = namedAnswer(shared, runs, baseline);
    return answer.lead.length > 0 ? answer : { ...answer, lead: answer.details, details: [] };
  }
  return {
    lead: ['These runs have no figure in common, so there is nothing to compare in numbers.'],
    details: [],
    caveat: null,
  };
}
