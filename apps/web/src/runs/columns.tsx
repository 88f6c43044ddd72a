import { isFinal, programEnd, type RunRecord, type Transport } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { sig3, when } from '../format/number';
import { ProviderBadge, type ProviderClass } from '../ui/provider-badge';
import { StateBadge } from '../ui/state-badge';
import { cpuTotal, runSeconds, TRANSPORT_NAME } from './figures';
import type { ParameterText } from './parameters';
import { PerhapsPartial } from './partial';
import { PercentileFigure } from './percentile';

/** A column of the list of runs: what it sorts by and how it looks. The unit stands in the heading, once. */
export interface RunColumn {
  id: string;
  title: string;
  unit?: string;
  /** A figure of one transport, and what is measured. */
  figure?: { transport: Transport; measure: string };
  numeric?: boolean;
  /** Width in rem, in a table that has a column for all. */
  width: number;
  /** Takes the room that is left. */
  grows?: true;
  /** Stands below the name of the run where there is no room for a column of its own. */
  detail?: true;
  /** Null sorts last. */
  sort: (run: RunRecord) => number | string | null;
  /** Whether the cell of a run says anything. Default: what it sorts by is neither null nor empty. */
  has?: (run: RunRecord) => boolean;
  cell: (run: RunRecord) => ReactNode;
}

const of = (run: RunRecord, transport: Transport) => run.result?.transports[transport];

interface FigureColumn {
  id: string;
  heading: string;
  measure: string;
  unit: string;
  width: number;
  value: (run: RunRecord, transport: Transport) => number | null;
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
    value: (run, t) => of(run, t)?.goodputGbps ?? null,
  },
  {
    id: 'cpu',
    heading: ' CPU',
    measure: 'CPU',
    unit: 's/GB',
    width: 4.75,
    value: (run, t) => {
      const result = of(run, t);
      return result ? cpuTotal(result) : null;
    },
  },
  {
    id: 'p99',
    heading: ' p99',
    measure: 'Latency p99',
    unit: 'µs',
    width: 4.75,
    value: (run, t) => of(run, t)?.latencyUs?.p99 ?? null,
    // A withheld percentile says so.
    has: (run, t) => (of(run, t)?.latencyUs ?? null) !== null,
    cell: (run, t) => <PercentileFigure latency={of(run, t)?.latencyUs ?? null} which="p99" />,
  },
];

function figureColumn(figure: FigureColumn, transport: Transport): RunColumn {
  const { id, heading, measure, unit, width, value } = figure;
  const has = figure.has ?? ((run: RunRecord) => value(run, transport) !== null);
  const cell = figure.cell ?? ((run: RunRecord) => sig3(value(run, transport)));
  return {
    id: `${transport}-${id}`,
    title: `${TRANSPORT_NAME[transport]}${heading}`,
    unit,
    figure: { transport, measure },
    numeric: true,
    width,
    sort: (run) => value(run, transport),
    has: (run) => has(run, transport),
    cell: (run) =>
      has(run, transport) ? (
        <PerhapsPartial run={run} transport={transport}>
          {cell(run, transport)}
        </PerhapsPartial>
      ) : (
        sig3(null)
      ),
  };
}

/** How a program ended, unless it is as it should be. */
function badEnd({ result }: RunRecord): string | null {
  return result?.program?.exitCode === 0 ? null : programEnd(result?.program);
}

export function runColumns(parameters: ParameterText): readonly RunColumn[] {
  return [
    {
      id: 'number',
      title: 'Run',
      numeric: true,
      width: 3.5,
      sort: (r) => r.number,
      cell: (r) => r.number,
    },
    { id: 'lab', title: 'Lab', width: 13, sort: (r) => r.title, cell: (r) => r.title },
    {
      id: 'parameters',
      title: 'Parameters',
      width: 8,
      grows: true,
      detail: true,
      sort: parameters,
      cell: parameters,
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
      width: 8.5,
      detail: true,
      sort: (r) => r.createdAt,
      cell: (r) => <span className="num text-13 whitespace-nowrap">{when(r.createdAt)}</span>,
    },
    {
      id: 'took',
      title: 'Took',
      unit: 's',
      numeric: true,
      width: 3.5,
      detail: true,
      sort: (r) => (isFinal(r.state) ? runSeconds(r, 0) : null),
      cell: (r) => (isFinal(r.state) ? sig3(runSeconds(r, 0)) : '–'),
    },
    {
      id: 'provider',
      title: 'Provider class',
      width: 10,
      detail: true,
      sort: (r) => r.result?.provider ?? '',
      cell: (r) => (r.result?.provider ? <ProviderBadge provider={r.result.provider} /> : '–'),
    },
    ...FIGURES.flatMap((figure) => [figureColumn(figure, 'rdma'), figureColumn(figure, 'tcp')]),
  ];
}

/** Whether a column says anything of a run. */
export const hasCell = ({ has, sort }: RunColumn, run: RunRecord): boolean =>
  has ? has(run) : (sort(run) ?? '') !== '';

/** The one provider class of all these runs; null when there are several, or none. */
export function commonProvider(runs: readonly RunRecord[]): ProviderClass | null {
  const classes = new Set(runs.flatMap(({ result }) => result?.provider ?? []));
  return classes.size === 1 ? [...classes][0]! : null;
}

/** The columns that tell something of these runs. A provider class that all have is said once, beside them. */
export function filledColumns(columns: readonly RunColumn[], runs: readonly RunRecord[]): RunColumn[] {
  const common = commonProvider(runs) !== null;
  return columns.filter(
    (column) => runs.some((run) => hasCell(column, run)) && !(common && column.id === 'provider'),
  );
}

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
  tcp: 'text-tcp-ink',
  udp: 'text-udp-ink',
};
