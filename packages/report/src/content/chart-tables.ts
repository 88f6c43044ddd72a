/** The charts of a run's measuring loops as tables. */
import { formatCount, sig3, type TableView } from '@verbslab/labs';
import {
  cpuTable,
  goodputTable,
  opcodeText,
  type SeriesTable,
  type SeriesView,
  type LatencySnapshot,
  type TransportSample,
} from '@verbslab/charts/data';
import {
  isProgram,
  LatencyHistogram,
  NOT_ENOUGH_SAMPLES,
  type RunRecord,
  type Transport,
} from '@verbslab/protocol';
import { nameIn } from './names.js';

/** Most rows of a table that is shown open; of a curve, below its chart. */
export const FEW_ROWS = 16;

export interface ChartTables {
  /** Null if all measured values are zero: such a chart would show nothing. */
  goodput: TableView | null;
  cpu: TableView | null;
  /** True if samples are adjacent, so that a chart has a line. */
  lines: boolean;
}

const tableOf = (name: string, label: string, { head, rows }: SeriesTable): TableView => ({
  name,
  label,
  columns: head.map((column) => ({ name: column, label: column, unit: '', numeric: true })),
  rows,
});

/** Title of the CPU charts. A run of a program has one end, others have two. */
export const cpuText = (run: RunRecord): string =>
  isProgram(run) ? 'CPU of its processes, cores' : 'CPU of both ends, cores';

const some = ({ rows, transports, holes }: SeriesView, has: (sample: TransportSample) => boolean): boolean =>
  holes.some(({ sample }) => has(sample)) ||
  rows.some((row) => transports.some((one) => row[one] !== undefined && has(row[one])));

const hasLines = ({ rows, transports, holes }: SeriesView): boolean =>
  holes.length > 0 ||
  transports.some((one) => rows.some((row, i) => row[one] !== undefined && rows[i + 1]?.[one] !== undefined));

/** Tables behind the charts over time; null if no loop reported anything. */
export function seriesTables(run: RunRecord, view: SeriesView): ChartTables | null {
  if (view.rows.length === 0) return null;
  const words = { name: (transport: Transport) => nameIn(run, transport), figure: sig3 };
  return {
    goodput: some(view, ({ gbps }) => gbps > 0)
      ? tableOf('goodput-series', 'Goodput over run time', goodputTable(view, words))
      : null,
    cpu: some(view, ({ cpu: { app, nic, kernel } }) => app > 0 || nic > 0 || kernel > 0)
      ? tableOf('cpu-series', 'CPU over run time', cpuTable(view, words))
      : null,
    lines: hasLines(view),
  };
}

/** Latencies of the requests of a program, a row for each opcode; null if none was measured. */
export function requestTable(requests: LatencySnapshot | null): TableView | null {
  if (requests === null || requests.opcodes.length === 0) return null;
  const us = (ns: number | null): string => (ns === null ? NOT_ENOUGH_SAMPLES : sig3(ns / 1000));
  return {
    name: 'request-latency',
    label: 'Latency of requests',
    text: 'From the post of a request to its completion.',
    columns: ['Requests', 'n', 'p50, µs', 'p99, µs', 'p99.9, µs', 'max, µs'].map((label, i) => ({
      ...{ name: label, label, unit: '' },
      numeric: i > 0,
    })),
    rows: requests.opcodes.map((one) => {
      const values = LatencyHistogram.of(one.distribution);
      const [p50, p99, p999] = (['p50', 'p99', 'p999'] as const).map((which) => us(values.percentile(which)));
      return [opcodeText(one), formatCount(values.count), p50!, p99!, p999!, us(values.max)];
    }),
  };
}
