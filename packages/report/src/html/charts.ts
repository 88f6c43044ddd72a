import type { CurveView, TableView } from '@verbslab/labs';
import { FEW_ROWS, requestTable, seriesTables } from '../content/chart-tables.js';
import { latencyView, seriesView } from '@verbslab/charts/data';
import type { Badge } from '../content/circumstances.js';
import type { ReportSource } from '../content/source.js';
import {
  costChart,
  cpuChart,
  curveChart,
  goodputChart,
  latencyChart,
  overTimeText,
  requestCharts,
} from './drawn.js';
import type { Child } from './markup.js';
import { block, figure, table, tableBehind } from './parts.js';

/** A curve as chart and table. `at`: index of the curve in the report. */
export function curveBlock(curve: CurveView, by: readonly Badge[], at: number): Child {
  const chart = curveChart(curve, at);
  const behind = curve.table.rows.length > FEW_ROWS ? tableBehind(curve.table) : table(curve.table);
  return block(
    { title: curve.label, text: curve.text, by },
    chart === null ? null : figure(curve.label, chart),
    behind,
  );
}

/** The charts of the measuring loops, as on the page of the run; empty if nothing was measured. */
export function loopCharts({ run, measured }: ReportSource, by: readonly Badge[]): Child[] {
  const series = seriesView(measured);
  const latency = latencyView(measured);
  const tables = seriesTables(run, series);
  const text = overTimeText(series);
  const cost = costChart(run);
  const overTime = (view: TableView | null, about: string, chart: () => Child): Child[] =>
    view === null
      ? []
      : [
          tables!.lines
            ? block({ title: view.label, text: about, by }, figure(view.label, chart()), tableBehind(view))
            : block({ title: view.label, text: about, by }, table(view)),
        ];
  return [
    ...overTime(tables?.goodput ?? null, `Payload. ${text}`.trim(), () => goodputChart(run, series)),
    ...overTime(tables?.cpu ?? null, text, () => cpuChart(run, series)),
    ...(cost === null
      ? []
      : [block({ title: 'CPU seconds per GB', by }, figure('CPU seconds per GB', cost))]),
    ...(latency.curves.length === 0
      ? []
      : [block({ title: 'Latency', by }, figure('Latency', latencyChart(run, latency)))]),
  ];
}

/** How long the requests of a program took, as on its page; empty if none was measured. */
export function requestBlocks({ run, requests }: ReportSource, by: readonly Badge[]): Child[] {
  const view = requestTable(requests);
  if (requests === null || view === null) return [];
  return [
    block(
      { title: view.label, text: view.text, by },
      figure(view.label, requestCharts(run, requests.opcodes[0]!)),
      table(view),
    ),
  ];
}
