/** The charts of a run's measuring loops as tables. */
import { sig3, type TableView } from '@verbslab/labs';
import {
  cpuTable,
  goodputTable,
  type SeriesTable,
  type SeriesView,
  type TransportSample,
} from '@verbslab/charts/data';
import { isProgram, type RunRecord, type Transport } from '@verbslab/protocol';
import { nameIn } from './names.js';

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
