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

/** A column of the list of runs: its order and its look. The heading has the unit. */
export interface RunColumn {
  id: string;
  title: string;
  unit?: string;
  /**
   * Figure of a transport: its measure in words, and a short form for headings. `ownClock`: RDMA and TCP measure it
   * between different events, so it is not comparable.
   */
  figure?: { transport: Transport; measure: string; heading: string; ownClock: boolean };
  numeric?: boolean;
  /** Width in rem, in a table with a column for each figure. */
  width: number;
  /** Name of its cells for the audit; absent if their content has names of its own. */
  shows?: string;
  /** True if the details of a row include it. */
  detail?: true;
  /** True if only the details show it, unless the reader chooses this figure. */
  more?: true;
  /** Sort key; null sorts last. */
  sort: (run: RunRow) => number | string | null;
  /** Secondary sort key, in the same direction. */
  then?: (run: RunRow) => number | null;
  /** True if the cell of a run has content. Default: its sort key is neither null nor empty. */
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
  /** Range from the lowest to the highest round. */
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
    // A withheld percentile is shown as such.
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

/** Width of a figure's heading in rem, including spacing. */
const widthOf = (name: string): number => 1 + name.length / 2;

/** A figure. If it is a median, hovering shows so, with the lowest and the highest round. */
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

/** End of a program, if it failed. */
function badEnd({ result }: RunRow): string | null {
  return result?.program?.exitCode === 0 ? null : programEnd(result?.program);
}

/** Duration in the format of the run's page. */
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
      // Includes the end of a program beside its state, and its problems below.
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

/** Full name of a column: `RDMA goodput` if its heading only has room for `RDMA`. */
export const columnName = ({ title, figure }: RunColumn): string =>
  figure ? `${title} ${figure.measure.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())}` : title;

/** True if a column has content for a run. */
export const hasCell = ({ has, sort }: RunColumn, run: RunRow): boolean =>
  has ? has(run) : (sort(run) ?? '') !== '';

/** Common provider class of all these runs, with the same links; null if they differ, or if there is none. */
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

/** The column with another title, as wide as the title needs. */
export const titled = (column: RunColumn, title: string): RunColumn =>
  title === column.title ? column : { ...column, title, width: Math.max(column.width, widthOf(title)) };

/**
 * Columns that distinguish these runs, with the links of their figures as titles. A provider class and links common to
 * all runs are shown beside the table instead.
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

/** True if a run has a figure of TCP and one of RDMA that are not comparable. */
export const mixesClocks = (columns: readonly RunColumn[], runs: readonly RunRow[]): boolean =>
  runs.some((run) => {
    const own = columns.filter((column) => column.figure?.ownClock && hasCell(column, run));
    const ofTcp = own.filter(({ figure }) => figure?.transport === 'tcp').length;
    return ofTcp > 0 && ofTcp < own.length;
  });

/** Widths in rem: column of check boxes, button that opens the details, and name of a run. */
const TICKS = 2;
const OPENS = 2.5;
const NAME = 13;

/** Columns to omit first in a narrow table, in this order; the details have them. */
const LEAVES = ['provider', 'took', 'started', 'tags'];

/**
 * Columns of a table of this width in rem, with a line per run and a single figure: the headline of each lab, unless
 * the reader chooses another. Null if there is only room for a list with two lines per run.
 */
export function tableColumns(
  columns: readonly RunColumn[],
  width: number,
  asked: string = HEADLINE,
): RunColumn[] | null {
  const figure = columns.some(({ id }) => id === asked) ? asked : HEADLINE;
  let kept = columns.filter(({ id, more }) => id === figure || (id !== HEADLINE && !more));
  // The figure is beside the name.
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
