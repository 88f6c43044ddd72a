/** What a comparison says first: which run moves more, costs less CPU time and has the lower latency, in a few sentences. */
import {
  transportFigure,
  transportNameOver,
  TRANSPORTS,
  type RunRecord,
  type Transport,
} from '@verbslab/protocol';
import { compare } from '../load/sweep.js';
import { changeText, isShared, percentText, type FigureRow } from './changes.js';
import type { ComparedFigure } from './figures.js';
import { letterList, letterOf, nameList } from './letters.js';

export interface ComparisonAnswer {
  /** The answer, in a sentence or two. */
  lead: string[];
  /** The figures behind it, one sentence each. */
  details: string[];
  /** What is not known of the spread; null where all is. */
  caveat: string | null;
}

/** A figure in which one direction is better. */
interface Contest {
  figure: string;
  /** Of two runs, and of more. */
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

/** Inside the spread of their repetitions; runs without repetitions have no spread. */
const unclear = (a: ComparedFigure, b: ComparedFigure): boolean =>
  a.value === b.value || (hasSpread(a) && hasSpread(b) && compare(a.stat!, b.stat!) === 'unclear');

const withRange = ({ text, range }: ComparedFigure): string => (range === null ? text : `${text} (${range})`);

/** One figure of one transport, its runs from the best to the last. */
interface Contested {
  contest: Contest;
  row: FigureRow;
  /** As sentences call the transport. */
  name: string;
  sorted: Entry[];
  /** The best one, and those that do not differ clearly from it. */
  even: Entry[];
}

function contested(runs: readonly RunRecord[], rows: readonly FigureRow[]): Contested[] {
  return TRANSPORTS.flatMap((transport: Transport) =>
    CONTESTS.flatMap((contest) => {
      const row = rows.find(({ name }) => name === transportFigure(transport, contest.figure));
      if (!row || !isShared(row)) return [];
      const sign = contest.best === 'highest' ? -1 : 1;
      const sorted = entriesOf(row).sort((a, b) => sign * (a.figure.value - b.figure.value));
      const first = sorted[0]!;
      const even = sorted.filter((one) => one === first || unclear(first.figure, one.figure));
      const those = runs.filter((_, i) => row.figures[i]);
      return [{ contest, row, name: transportNameOver(those, transport), sorted, even }];
    }),
  );
}

/** Who wins over one transport, with the figures. */
function detail({ contest, name, sorted, even }: Contested): string {
  const { two, most, noun, best } = contest;
  const [first, second, last] = [sorted[0]!, sorted[1]!, sorted.at(-1)!];
  const runs = even.map(({ run }) => run).sort((a, b) => a - b);
  if (even.length === sorted.length) {
    const each = sorted
      .toSorted((a, b) => a.run - b.run)
      .map(({ run, figure }) => `${letterOf(run)} ${withRange(figure)}`)
      .join(', ');
    return `Over ${name}, there is no clear difference in ${noun} between ${letterList(runs)}: ${each}.`;
  }
  if (sorted.length === 2) {
    const percent = percentText((first.figure.value / second.figure.value - 1) * 100);
    return `Over ${name}, ${letterOf(first.run)} ${two}: ${first.figure.text} against ${second.figure.text} of ${letterOf(second.run)} (${percent}).`;
  }
  const least = `${letterOf(last.run)} is last with ${last.figure.text}`;
  if (even.length === 1)
    return `Over ${name}, ${letterOf(first.run)} ${most}: ${first.figure.text}; ${least}.`;
  const shared = even.map(({ figure }) => figure.text).join(', ');
  return `Over ${name}, ${letterList(runs)} have the ${best} ${noun}, with no clear difference between them: ${shared}; ${least}.`;
}

/** The one run that wins over all transports; `none` where nothing differs clearly, `mixed` where it depends. */
function winnerOf(list: readonly Contested[]): number | 'none' | 'mixed' {
  const winners = new Set(
    list.map(({ even, sorted }) =>
      even.length === sorted.length ? 'none' : even.length === 1 ? even[0]!.run : 'mixed',
    ),
  );
  return winners.size === 1 ? [...winners][0]! : 'mixed';
}

/** What holds over all transports. */
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
  return parts.map(({ contest, where, winner }) =>
    winner === 'none'
      ? `There is no clear difference in ${contest.noun} over ${where}.`
      : winner === 'mixed'
        ? `Which run ${verb(contest)} depends on the transport.`
        : `${letterOf(winner)} ${verb(contest)} over ${where}.`,
  );
}

/** The runs whose figures of these contests have no spread. */
const withoutSpread = (list: readonly Contested[]): number[] => {
  const entries = list.flatMap(({ sorted }) => sorted);
  const runs = entries.flatMap(({ run, figure }) => (hasSpread(figure) ? [] : [run]));
  return [...new Set(runs)].sort((a, b) => a - b);
};

function caveatOf(all: readonly Contested[]): string | null {
  const alone = withoutSpread(all.filter(({ contest }) => !isLatency(contest)));
  // Older runs have no latency of each round, and in a short round too few samples decide a median.
  const unknown = withoutSpread(all.filter(({ contest }) => isLatency(contest))).filter(
    (run) => !alone.includes(run),
  );
  const caveats = [
    ...(alone.length === 0
      ? []
      : [
          `${letterList(alone)} measured one round${alone.length > 1 ? ' each' : ''}, so no spread is known and a difference may be chance.`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `The median latency of ${letterList(unknown)} is over all rounds: its spread is not known, so a small difference may be chance.`,
        ]),
  ];
  return caveats.length === 0 ? null : caveats.join(' ');
}

/** Of labs that measure no transports: how their figures differ, and not which is better. */
function namedAnswer(rows: readonly FigureRow[], runs: number, baseline: number): ComparisonAnswer {
  const base = letterOf(baseline);
  const lead = Array.from({ length: runs }, (_, run) => run).flatMap((run) => {
    const changes = rows.flatMap(({ changes: all }) => all[run] ?? []);
    if (run === baseline || changes.length === 0) return [];
    const clear = changes.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower').length;
    const known = changes.filter(({ verdict }) => verdict !== 'one-round').length;
    if (known === 0) return [];
    return [
      `${clear} of ${known} figures of ${letterOf(run)} that have repetitions differ clearly from ${base}.`,
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
  const sure = (one: (typeof found)[number]): number => Number(one.change.verdict !== 'one-round');
  const widest = found.sort((a, b) => sure(b) - sure(a) || b.size - a.size).slice(0, 3);
  const single = rows.filter((row) => entriesOf(row).some(({ figure }) => !hasSpread(figure)));
  return {
    lead,
    details: widest.map(
      ({ row, run, change }) =>
        `${row.label}: ${row.figures[run]!.text} in ${letterOf(run)} against ${row.figures[baseline]!.text} in ${base} (${changeText(change)}).`,
    ),
    caveat:
      single.length === 0
        ? null
        : `${single.length === rows.length ? 'None of these figures has' : `${single.length} of ${rows.length} figures ${single.length === 1 ? 'has' : 'have'} no`} repetitions: no spread is known, and a difference may be chance.`,
  };
}

export function comparisonAnswer(
  runs: readonly RunRecord[],
  rows: readonly FigureRow[],
  baseline: number,
): ComparisonAnswer {
  const all = contested(runs, rows);
  if (all.length > 0) {
    const details = all.map(detail);
    const caveat = caveatOf(all);
    // Over one transport the figures are the answer.
    return new Set(all.map(({ name }) => name)).size === 1
      ? { lead: details, details: [], caveat }
      : { lead: leadOver(all, runs.length > 2), details, caveat };
  }
  const shared = rows.filter(isShared);
  if (shared.length > 0) {
    const answer = namedAnswer(shared, runs.length, baseline);
    return answer.lead.length > 0 ? answer : { ...answer, lead: answer.details, details: [] };
  }
  return {
    lead: ['These runs have no figure in common, so there is nothing to compare in numbers.'],
    details: [],
    caveat: null,
  };
}
