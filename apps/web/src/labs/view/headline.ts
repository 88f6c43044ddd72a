import type { CurveView, FigureView, ResultViews, TableView } from '@verbslab/labs';

/** Most columns of a table that fits beside the picture, where it scrolls, and most rows of one that is still looked through. */
const COLUMNS = 5;
const ROWS = 40;
/** Figures in place of a chart. */
const FIGURES = 2;

/** The one result beside the answer. */
export type Headline =
  | { kind: 'curve'; name: string; curve: CurveView }
  | { kind: 'table'; name: string; table: TableView }
  | { kind: 'figures'; name: null; figures: readonly FigureView[] };

/** The first curve that a lab declares, or else its first table if that is small, or its first figures. Null for none. */
export function headlineOf({ curves, tables, figures }: ResultViews): Headline | null {
  const curve = curves.find(({ series }) => series.some(({ points }) => points.length > 0));
  if (curve) return { kind: 'curve', name: curve.name, curve };
  const table = tables.find(({ rows }) => rows.length > 0);
  const known = figures.filter(({ raw }) => raw !== null).slice(0, FIGURES);
  const small = table && table.columns.length <= COLUMNS && table.rows.length <= ROWS;
  if (table && (small || known.length === 0)) return { kind: 'table', name: table.name, table };
  return known.length > 0 ? { kind: 'figures', name: null, figures: known } : null;
}
