import { resultViews, type FigureView, type TableView } from '@verbslab/labs';
import type { LabDescription, LabResults } from '@verbslab/protocol';
import { bold, muted, table } from './terminal.js';

function figuresText(figures: readonly FigureView[]): string {
  const rows = figures.map(({ label, shown, spread, n }) => [
    label,
    shown.value,
    shown.unit,
    ...(spread === null ? [] : [muted(spread)]),
    ...(n === null ? [] : [muted(`n = ${n}`)]),
  ]);
  return table(rows, [1]);
}

function tableText({ columns, rows }: TableView): string {
  const numeric = columns.flatMap((column, i) => (column.numeric ? [i] : []));
  const units = columns.some(({ unit }) => unit !== '') ? [columns.map(({ unit }) => muted(unit))] : [];
  return table([columns.map(({ label }) => muted(label)), ...units, ...rows], numeric);
}

/**
 * Results that a lab declared and filled in: figures, tables, curves as tables, predictions. Parts to print with a
 * blank line between.
 */
export function resultsText(results: LabResults | undefined, lab: LabDescription | undefined): string[] {
  const { figures, tables, curves, predictions } = resultViews(results, lab);
  const told = predictions.filter(({ predicted }) => predicted !== null);
  return [
    ...(figures.length > 0 ? [figuresText(figures)] : []),
    ...[...tables, ...curves.map((curve) => curve.table)].map(
      (one) => `${bold(one.label)}\n${tableText(one)}`,
    ),
    ...told.map(
      ({ text, predicted, measured, verdict }) =>
        `${text}\n  predicted ${predicted ?? '–'}, measured ${measured ?? '–'}.${verdict === null ? '' : ` ${verdict}`}`,
    ),
  ];
}
