/** What the charts of a run's measuring loops show, as tables. */
import { sig3, type TableView } from '@verbslab/labs';
import { cpuTable, goodputTable, type SeriesTable, type SeriesView } from './charts/index.js';
import { isProgram, type RunRecord, type Transport } from '@verbslab/protocol';
import { nameIn } from './names.js';

export interface ChartTables {
  goodput: TableView;
  cpu: TableView;
}

const tableOf = (name: string, label: string, { head, rows }: SeriesTable): TableView => ({
  name,
  label,
  columns: head.map((column) => ({ name: column, label: column, unit: '', numeric: true })),
  rows,
});

/** Whose CPU the charts show: a run of a program has one end. */
export const cpuText = (run: RunRecord): string =>
  isProgram(run) ? 'CPU of its processes, cores' : 'CPU of both ends, cores';

/** Null where no loop reported anything. */
export function seriesTables(run: RunRecord, view: SeriesView): ChartTables | null {
  if (view.rows.length === 0) return null;
  const words = { name: (transport: Transport) => nameIn(run, transport), figure: sig3 };
  return {
    goodput: tableOf('goodput-series', 'Goodput over run time', goodputTable(view, words)),
    cpu: tableOf('cpu-series', 'CPU over run time', cpuTable(view, words)),
  };
}
