import {
  programEnd,
  runSeconds,
  TRANSPORT_NAME,
  transportNameOver,
  type LabDescription,
  type Link,
  type ProviderClass,
  type RunRow,
  type Spread,
  type Transport,
} from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { sweepHref } from '../addresses';
import { secondsText, sig3, when } from '../format/number';
import { ProviderBadges } from '../ui/provider-badge';
import { PageLink } from '../ui/page-link';
import { StateBadge } from '../ui/state-badge';
import { Explained } from '../ui/explained';
import {
  cpuTotal,
  figuresOf,
  goodputCell,
  goodputOf,
  latencyOf,
  PercentileFigure,
} from '../parts/run/transport-figures';
import type { ParameterText, ResultText } from '../parts/run/parameters';
import { PerhapsPartial } from './partial';
import { HEADLINE, headlineColumn } from './headline';
import { RunMarks } from './run-marks';

/** A column of the list of runs: what it sorts by and how it looks. The unit stands in the heading, once. */
export interface RunColumn {
  id: string;
  title: string;
  unit?: string;
  /**
   * A figure of one transport; what is measured, in words and as short as a heading. `ownClock`: RDMA and TCP take it
   * between different events, so it does not compare them.
   */
  figure?: { transport: Transport; measure: string; heading: string; ownClock: boolean };
  numeric?: boolean;
  /** Width in rem, in a table that has a column for all. */
  width: number;
  /** The name by which the audit knows its cells; absent where they hold what has names of its own. */
  shows?: string;
  /** Among the details that a row opens. */
  detail?: true;
  /** Shown in the details alone, unless the reader asks for this figure. */
  more?: true;
  /** Null sorts last. */
  sort: (run: RunRow) => number | string | null;
  /** Orders those that `sort` finds equal, in the same direction. */
  then?: (run: RunRow) => number | null;
  /** Whether the cell of a run says anything. Default: what it sorts by is neither null nor empty. */
  has?: (run: RunRow) => boolean;
  cell: (run: RunRow) => ReactNode;
}

interface FigureColumn {
  id: string;
  heading: string;
  measure: string;
  unit: string;
  width: number;
  ownClock?: true;
  value: (run: RunRow, transport: Transport) => number | null;
  /** From the lowest to the highest round. */
  range?: (run: RunRow, transport: Transport) => Spread | null | undefined;
  has?: (run: RunRow, transport: Transport) => boolean;
  cell?: (run: RunRow, transport: Transport) => ReactNode;
}

const FIGURES: readonly FigureColumn[] = [
  {
    id: 'goodput',
    heading: '',
    measure: 'Goodput',
    unit: 'Gb/s',
    width: 4,
    value: goodputOf,
    range: (run, t) => figuresOf(run, t)?.spread?.goodputGbps,
    cell: goodputCell,
  },
  {
    id: 'cpu',
    heading: 'CPU',
    measure: 'CPU',
    unit: 's/GB',
    width: 4.75,
    value: (run, t) => {
      const result = figuresOf(run, t);
      return result ? cpuTotal(result) : null;
    },
    range: (run, t) => figuresOf(run, t)?.spread?.cpuSecondsPerGB,
  },
  {
    id: 'p99',
    heading: 'p99',
    measure: 'Latency p99',
    unit: 'µs',
    width: 4.75,
    ownClock: true,
    value: (run, t) => latencyOf(run, t)?.p99 ?? null,
    // A withheld percentile says so.
    has: (run, t) => latencyOf(run, t) !== null,
    cell: (run, t) => <PercentileFigure latency={latencyOf(run, t)} which="p99" />,
  },
];

function figureColumn(figure: FigureColumn, transport: Transport): RunColumn {
  const { id, heading, measure, unit, width, ownClock = false, value } = figure;
  const has = figure.has ?? ((run: RunRow) => value(run, transport) !== null);
  const cell = figure.cell ?? ((run: RunRow) => sig3(value(run, transport)));
  const title = TRANSPORT_NAME[transport];
  return {
    id: `${transport}-${id}`,
    title,
    unit,
    more: true,
    figure: { transport, measure, heading, ownClock },
    shows: `run-${id}`,
    numeric: true,
    width: Math.max(width, widthOf(title)),
    sort: (run) => value(run, transport),
    has: (run) => has(run, transport),
    cell: (run) =>
      has(run, transport) ? (
        <PerhapsPartial run={run} transport={transport}>
          <PerhapsMedian
            rounds={figuresOf(run, transport)?.roundCount ?? 1}
            range={figure.range?.(run, transport)}
            unit={unit}
          >
            {cell(run, transport)}
          </PerhapsMedian>
        </PerhapsPartial>
      ) : (
        sig3(null)
      ),
  };
}

/** Of the heading of a figure, in rem, with the space beside it. */
const widthOf = (name: string): number => 1 + name.length / 2;

/** A figure that is a median says so on hover, with the lowest and the highest round. */
function PerhapsMedian(props: {
  rounds: number;
  range: Spread | null | undefined;
  unit: string;
  children: ReactNode;
}) {
  const { rounds, range, unit, children } = props;
  if (rounds < 2 || !range) return children;
  return (
    <Explained
      className="cursor-help decoration-dotted underline-offset-4 hover:underline"
      meaning={`Median of ${rounds} rounds, from ${sig3(range.min)} to ${sig3(range.max)} ${unit}.`}
    >
      {children}
    </Explained>
  );
}

/** How a program ended, unless it is as it should be. */
function badEnd({ result }: RunRow): string | null {
  return result?.program?.exitCode === 0 ? null : programEnd(result?.program);
}

/** As the page of the run says it. */
function tookText(run: RunRow): string {
  const seconds = runSeconds(run);
  return seconds === null ? '–' : secondsText(seconds);
}

export function runColumns(
  labs: readonly LabDescription[],
  parameters: ParameterText,
  results: ResultText,
): readonly RunColumn[] {
  return [
    {
      id: 'number',
      title: 'Run',
      shows: 'run-number',
      numeric: true,
      width: 3.5,
      sort: (r) => r.number,
      cell: (r) => r.number,
    },
    { id: 'lab', title: 'Lab or program', width: NAME, sort: (r) => r.title, cell: (r) => r.title },
    headlineColumn(labs),
    {
      id: 'parameters',
      title: 'Parameters',
      shows: 'run-parameters',
      width: 7,
      detail: true,
      more: true,
      sort: parameters,
      cell: parameters,
    },
    {
      id: 'sweep',
      title: 'Sweep',
      width: 5,
      detail: true,
      more: true,
      sort: (r) => r.sweep?.number ?? null,
      cell: (r) =>
        r.sweep ? (
          <PageLink
            href={sweepHref(r.sweep.id)}
            className="relative z-1 inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11"
          >
            Sweep {r.sweep.number}
          </PageLink>
        ) : (
          '–'
        ),
    },
    {
      id: 'tags',
      title: 'Tags and notes',
      width: 8,
      detail: true,
      sort: ({ tags = [], noteCount }) =>
        tags.length > 0 || noteCount !== undefined ? [...tags, noteCount ?? ''].join(' ') : null,
      cell: (r) => <RunMarks run={r} />,
    },
    {
      id: 'imported',
      title: 'Imported from',
      shows: 'run-imported',
      width: 8,
      detail: true,
      more: true,
      sort: (r) => r.imported?.host ?? null,
      cell: (r) => r.imported?.host ?? '–',
    },
    {
      id: 'state',
      title: 'State',
      // The end of a program beside its state, and its problems below.
      width: 8,
      sort: (r) => r.state,
      cell: (r) => (
        <StateBadge
          state={r.state}
          end={badEnd(r)}
          problems={r.result?.problems}
          className="flex-wrap gap-y-0 leading-4 [&>span+span]:text-12"
        />
      ),
    },
    {
      id: 'started',
      title: 'Started',
      shows: 'created',
      width: 8.5,
      detail: true,
      sort: (r) => r.createdAt,
      cell: (r) => <span className="num text-13 whitespace-nowrap">{when(r.createdAt)}</span>,
    },
    {
      id: 'took',
      title: 'Took',
      shows: 'run-took',
      numeric: true,
      width: 4.5,
      detail: true,
      sort: runSeconds,
      cell: (r) => tookText(r),
    },
    {
      id: 'provider',
      title: 'Provider class',
      width: 13,
      detail: true,
      sort: (r) => [r.result?.provider ?? [], r.result?.links ?? []].flat().join(' '),
      cell: (r) =>
        r.result?.provider ? (
          <span className="inline-flex flex-wrap gap-x-2 gap-y-0.5">
            <ProviderBadges provider={r.result.provider} links={r.result.links} />
          </span>
        ) : (
          '–'
        ),
    },
    {
      id: 'results',
      title: 'Results',
      shows: 'run-results',
      width: 14,
      detail: true,
      more: true,
      sort: results,
      cell: (r) => results(r) ?? '–',
    },
    ...FIGURES.flatMap((figure) =>
      (['rdma', 'shm', 'tcp'] as const).map((each) => figureColumn(figure, each)),
    ),
  ];
}

/** What a column holds, in words: `RDMA goodput` where its heading has room for `RDMA` alone. */
export const columnName = ({ title, figure }: RunColumn): string =>
  figure ? `${title} ${figure.measure.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())}` : title;

/** Whether a column says anything of a run. */
export const hasCell = ({ has, sort }: RunColumn, run: RunRow): boolean =>
  has ? has(run) : (sort(run) ?? '') !== '';

/** The one provider class of all these runs, with the same links; null when there are several, or none. */
export function commonProvider(
  runs: readonly RunRow[],
): { provider: ProviderClass; links: readonly Link[] | undefined } | null {
  const known = new Map(
    runs.flatMap(({ result }) =>
      result?.provider
        ? [
            [
              [result.provider, ...(result.links ?? [])].join(' '),
              { provider: result.provider, links: result.links },
            ] as const,
          ]
        : [],
    ),
  );
  return known.size === 1 ? [...known.values()][0]! : null;
}

/** With this title, and as wide as it needs. */
export const titled = (column: RunColumn, title: string): RunColumn =>
  title === column.title ? column : { ...column, title, width: Math.max(column.width, widthOf(title)) };

/**
 * The columns that distinguish these runs, under the links of their figures. A provider class and links that all have are
 * shown once, beside them.
 */
export function filledColumns(columns: readonly RunColumn[], runs: readonly RunRow[]): RunColumn[] {
  const common = commonProvider(runs) !== null;
  return columns
    .filter((column) => runs.some((run) => hasCell(column, run)) && !(common && column.id === 'provider'))
    .map((column) =>
      column.figure
        ? titled(
            column,
            transportNameOver(
              runs.filter((run) => hasCell(column, run)),
              column.figure.transport,
            ),
          )
        : column,
    );
}

/** Whether a run has a figure of TCP and one of RDMA that do not compare with each other. */
export const mixesClocks = (columns: readonly RunColumn[], runs: readonly RunRow[]): boolean =>
  runs.some((run) => {
    const own = columns.filter((column) => column.figure?.ownClock && hasCell(column, run));
    const ofTcp = own.filter(({ figure }) => figure?.transport === 'tcp').length;
    return ofTcp > 0 && ofTcp < own.length;
  });

/** Of a column of ticks, of the button that opens the details, and of the name of a run. */
const TICKS = 2;
const OPENS = 2.5;
const NAME = 13;

/** What goes first where there is no room for all; the details have it. */
const LEAVES = ['provider', 'took', 'started', 'tags'];

/**
 * The columns of a table of this width in rem, one line a run: of all figures one, which is the headline of each lab unless
 * the reader asks for another. Null where there is room only for a list of two lines a run.
 */
export function tableColumns(
  columns: readonly RunColumn[],
  width: number,
  asked: string = HEADLINE,
): RunColumn[] | null {
  const figure = columns.some(({ id }) => id === asked) ? asked : HEADLINE;
  let kept = columns.filter(({ id, more }) => id === figure || (id !== HEADLINE && !more));
  // The figure stands beside the name.
  const at = kept.findIndex(({ id }) => id === 'lab') + 1;
  const own = kept.filter(({ id }) => id === figure);
  kept = kept.filter(({ id }) => id !== figure);
  kept.splice(at, 0, ...own);
  const needed = () => kept.reduce((all, one) => all + one.width, TICKS + OPENS);
  for (const leaves of LEAVES) {
    if (needed() <= width) break;
    kept = kept.filter(({ id }) => id !== leaves);
  }
  return needed() <= width ? kept : null;
}
