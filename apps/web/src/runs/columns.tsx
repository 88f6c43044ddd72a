import {
  bothDirections,
  programEnd,
  programGbps,
  programSpan,
  runSeconds,
  TRANSPORT_NAME,
  transportNameOver,
  transportOfLinks,
  type LatencyUs,
  type Link,
  type ProviderClass,
  type RunRecord,
  type Spread,
  type Transport,
} from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { inGbps, secondsText, sig3, when } from '../format/number';
import { ProviderBadges } from '../ui/provider-badge';
import { PageLink } from '../ui/page-link';
import { sweepHref } from '../sweeps/sweep-href';
import { StateBadge } from '../ui/state-badge';
import { Explained } from '../ui/explained';
import { cpuTotal } from './figures';
import type { ParameterText, ResultText } from './parameters';
import { PerhapsPartial } from './partial';
import { RunMarks } from './run-marks';
import { PercentileFigure } from './percentile';

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
  /** Takes the room that is left. */
  grows?: true;
  /** The name by which the audit knows its cells; absent where they hold what has names of its own. */
  shows?: string;
  /** Stands below the name of the run where there is no room for a column of its own. */
  detail?: true;
  /** The word before it there, where it would say nothing by itself. */
  lead?: string;
  /** Null sorts last. */
  sort: (run: RunRecord) => number | string | null;
  /** Whether the cell of a run says anything. Default: what it sorts by is neither null nor empty. */
  has?: (run: RunRecord) => boolean;
  cell: (run: RunRecord) => ReactNode;
}

const of = (run: RunRecord, transport: Transport) => run.result?.transports[transport];

/** What a program did, which is RDMA over the links that it used. */
const workOf = (run: RunRecord, transport: Transport) =>
  transport === transportOfLinks(run.result?.links) ? run.result?.program?.work : undefined;

const goodputOf = (run: RunRecord, transport: Transport): number | null =>
  of(run, transport)?.goodputGbps ?? programGbps(workOf(run, transport));

const latencyOf = (run: RunRecord, transport: Transport): LatencyUs | null =>
  (of(run, transport) ?? workOf(run, transport))?.latencyUs ?? null;

/** The rate of a program is an average over all that it moved, in both directions. */
function goodputCell(run: RunRecord, transport: Transport): ReactNode {
  const text = inGbps(goodputOf(run, transport));
  const work = workOf(run, transport);
  return work && !of(run, transport) ? (
    <Explained
      meaning={`Average of all bytes that the program moved${bothDirections(work) ? ', both directions together' : ''}, ${programSpan(work)}.`}
    >
      {text}
    </Explained>
  ) : (
    text
  );
}

interface FigureColumn {
  id: string;
  heading: string;
  measure: string;
  unit: string;
  width: number;
  ownClock?: true;
  value: (run: RunRecord, transport: Transport) => number | null;
  /** From the lowest to the highest round. */
  range?: (run: RunRecord, transport: Transport) => Spread | null | undefined;
  has?: (run: RunRecord, transport: Transport) => boolean;
  cell?: (run: RunRecord, transport: Transport) => ReactNode;
}

const FIGURES: readonly FigureColumn[] = [
  {
    id: 'goodput',
    heading: '',
    measure: 'Goodput',
    unit: 'Gb/s',
    width: 4,
    value: goodputOf,
    range: (run, t) => of(run, t)?.spread?.goodputGbps,
    cell: goodputCell,
  },
  {
    id: 'cpu',
    heading: 'CPU',
    measure: 'CPU',
    unit: 's/GB',
    width: 4.75,
    value: (run, t) => {
      const result = of(run, t);
      return result ? cpuTotal(result) : null;
    },
    range: (run, t) => of(run, t)?.spread?.cpuSecondsPerGB,
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
  const has = figure.has ?? ((run: RunRecord) => value(run, transport) !== null);
  const cell = figure.cell ?? ((run: RunRecord) => sig3(value(run, transport)));
  const title = TRANSPORT_NAME[transport];
  return {
    id: `${transport}-${id}`,
    title,
    unit,
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
            rounds={of(run, transport)?.rounds?.length ?? 1}
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
function badEnd({ result }: RunRecord): string | null {
  return result?.program?.exitCode === 0 ? null : programEnd(result?.program);
}

/** As the page of the run says it. */
function tookText(run: RunRecord): string {
  const seconds = runSeconds(run);
  return seconds === null ? '–' : secondsText(seconds);
}

export function runColumns(parameters: ParameterText, results: ResultText): readonly RunColumn[] {
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
    { id: 'lab', title: 'Lab or program', width: 13, sort: (r) => r.title, cell: (r) => r.title },
    {
      id: 'parameters',
      title: 'Parameters',
      shows: 'run-parameters',
      width: 7,
      grows: true,
      detail: true,
      sort: parameters,
      cell: parameters,
    },
    {
      id: 'sweep',
      title: 'Sweep',
      width: 5,
      detail: true,
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
      lead: 'from',
      sort: (r) => r.imported?.host ?? null,
      cell: (r) => r.imported?.host ?? '–',
    },
    {
      id: 'state',
      title: 'State',
      width: 6.75,
      sort: (r) => r.state,
      cell: (r) => (
        <StateBadge
          state={r.state}
          end={badEnd(r)}
          problems={r.result?.problems}
          className="flex-wrap gap-y-0"
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
export const hasCell = ({ has, sort }: RunColumn, run: RunRecord): boolean =>
  has ? has(run) : (sort(run) ?? '') !== '';

/** The one provider class of all these runs, with the same links; null when there are several, or none. */
export function commonProvider(
  runs: readonly RunRecord[],
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
export function filledColumns(columns: readonly RunColumn[], runs: readonly RunRecord[]): RunColumn[] {
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
export const mixesClocks = (columns: readonly RunColumn[], runs: readonly RunRecord[]): boolean =>
  runs.some((run) => {
    const own = columns.filter((column) => column.figure?.ownClock && hasCell(column, run));
    const ofTcp = own.filter(({ figure }) => figure?.transport === 'tcp').length;
    return ofTcp > 0 && ofTcp < own.length;
  });

export type Layout = 'full' | 'compact' | 'list';

/** Of a column of ticks, and of the name of a run with its details below. */
const TICKS = 2;
const NAME = 15;

/** How these columns fit into a width in rem: each its own, details below the name, or a list of facts. */
export function layoutFor(columns: readonly RunColumn[], width: number): Layout {
  const sum = (of: (column: RunColumn) => number) => columns.reduce((all, one) => all + of(one), TICKS);
  if (width >= sum((one) => one.width)) return 'full';
  return width >= sum((one) => (one.detail ? 0 : one.id === 'lab' ? NAME : one.width)) ? 'compact' : 'list';
}

export const TRANSPORT_INK: Record<Transport, string> = {
  rdma: 'text-rdma-ink',
  shm: 'text-shm-ink',
  tcp: 'text-tcp-ink',
  udp: 'text-udp-ink',
};
