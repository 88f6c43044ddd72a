/** The one result of a run that a page shows beside the answer. */
import type { ResultSpecs } from '@verbslab/protocol';
import type { CurveView, FigureView, ResultViews, TableView } from './result-views.js';

/** Most columns of a table that fits beside the picture, where it scrolls, and most rows of one that is still looked through. */
export const HEADLINE_COLUMNS = 5;
const ROWS = 40;
/** Figures in place of a chart. */
const FIGURES = 2;

/** `apart`: name of the result of which nothing more is to be shown elsewhere; null if there is more of it. */
export type Headline = { apart: string | null } & (
  | { kind: 'curve'; curve: CurveView }
  | { kind: 'table'; table: TableView }
  | { kind: 'figures'; figures: readonly FigureView[] }
);

const ofCurve = (curve: CurveView): Headline => ({ kind: 'curve', apart: curve.name, curve });
const ofTable = (table: TableView): Headline => ({ kind: 'table', apart: table.name, table });

/** A table with some of its columns, in their order. */
function withColumns(table: TableView, names: readonly string[]): TableView {
  const at = names.map((name) => table.columns.findIndex((column) => column.name === name));
  const { bars: _, ...plain } = table;
  return {
    ...plain,
    columns: at.map((i) => table.columns[i]!),
    rows: table.rows.map((row) => at.map((i) => row[i]!)),
  };
}

function declared({ curves, tables, figures }: ResultViews, spec: ResultSpecs['headline']): Headline | null {
  if (spec === undefined) return null;
  if ('curve' in spec) {
    const curve = curves.find(({ name }) => name === spec.curve);
    return curve ? ofCurve(curve) : null;
  }
  if ('figures' in spec) {
    const list = figures.filter(({ name, raw }) => raw !== null && spec.figures.includes(name));
    return list.length > 0 ? { kind: 'figures', apart: null, figures: list } : null;
  }
  const table = tables.find(({ name, rows }) => name === spec.table && rows.length > 0);
  if (!table) return null;
  return spec.columns
    ? { kind: 'table', apart: null, table: withColumns(table, spec.columns) }
    : ofTable(table);
}

/**
 * What the lab declares as its headline, or else the first curve with points, the first table if it is small, or the first
 * figures. Null for none.
 */
export function headlineOf(views: ResultViews, results?: ResultSpecs): Headline | null {
  const { curves, tables, figures } = views;
  const own = declared(views, results?.headline);
  if (own) return own;
  const curve = curves.find(({ series }) => series.some(({ points }) => points.length > 0));
  if (curve) return ofCurve(curve);
  const table = tables.find(({ rows }) => rows.length > 0);
  const known = figures.filter(({ raw }) => raw !== null).slice(0, FIGURES);
  const small = table && table.columns.length <= HEADLINE_COLUMNS && table.rows.length <= ROWS;
  if (table && (small || known.length === 0)) return ofTable(table);
  return known.length > 0 ? { kind: 'figures', apart: null, figures: known } : null;
}
