/** Results of a run, combined with the declarations of its lab, for pages and the command alike. */
import {
  median,
  noResults,
  outcomeOf,
  type BarLook,
  type Cell,
  type ColumnSpec,
  type CurveSpec,
  type FigureSpec,
  type Guess,
  type LabDescription,
  type LabResults,
  type Point,
  type Prediction,
  type TableSpec,
} from '@verbslab/protocol';
import { formatBytes, formatDigits, unitBeside } from '../base/format.js';

/** A number as it is shown, its unit apart. */
export interface Shown {
  value: string;
  unit: string;
}

type Quantity = Pick<ColumnSpec, 'unit' | 'digits'>;

/** Formats a quantity. A dash stands for a value that could not be measured. */
export function shownQuantity(value: number | null | undefined, { unit = '', digits = 3 }: Quantity): Shown {
  if (value === null || value === undefined || !Number.isFinite(value)) return { value: '–', unit: '' };
  if (unit !== 'B') {
    const shown = formatDigits(value, digits);
    return { value: shown, unit: unitBeside(shown, unit) };
  }
  const [number = '', prefixed = 'B'] = formatBytes(value).split(' ');
  return { value: number, unit: prefixed };
}

/** Sign between the ends of a range. A dash behind a negative number looks like a second minus. */
const rangeSign = (from: number): string => (from < 0 ? ' to ' : '–');

export function quantityText(value: number | null | undefined, spec: Quantity): string {
  const shown = shownQuantity(value, spec);
  return shown.unit === '' ? shown.value : `${shown.value}\u00a0${shown.unit}`;
}

export interface FigureView {
  name: string;
  label: string;
  text?: string;
  /** Null: it could not be measured. */
  raw: number | null;
  shown: Shown;
  /** `12–15`, of repetitions. */
  spread: string | null;
  n: number | null;
}

export interface ColumnView {
  name: string;
  label: string;
  /** Unit in the head of the column; empty where each cell has its own. */
  unit: string;
  numeric: boolean;
}

export interface TableView {
  name: string;
  label: string;
  text?: string;
  columns: ColumnView[];
  rows: string[][];
  /** Present if the lab declares that its rows are bars. */
  bars?: BarsView;
}

/** Rows of a table as bars, each of which begins where the one before it ends. */
export interface BarsView {
  /** Names of the columns: of the name of a bar, its length, and its owner. */
  columns: string[];
  unit: string;
  rows: { name: string; by: string; look: BarLook | null; start: number; length: number; shown: string }[];
  total: { value: number; shown: string };
  /** The owners of the bars in the order in which they come, and what they have of the total, percent. */
  split: { by: string; look: BarLook | null; share: number; shown: string }[];
}

export interface AxisView {
  label: string;
  unit: string;
  log: boolean;
  show: (value: number) => string;
}

export interface CurveView {
  name: string;
  label: string;
  text?: string;
  x: AxisView;
  y: AxisView;
  /** Points by x, one at each. */
  series: (NonNullable<CurveSpec['series']>[number] & { points: Point[] })[];
  /** The curve as a table: a row per x, a column per series. */
  table: TableView;
}

export interface PredictionView {
  id: string;
  text: string;
  /** Null: nothing was predicted, or the run did not show it. */
  predicted: string | null;
  measured: string | null;
  /** Text in place of the measurement after a run that has none. */
  unanswered: string;
  verdict: string | null;
  /** The run showed what was predicted; null without a verdict. */
  held: boolean | null;
}

export interface ResultViews {
  figures: FigureView[];
  tables: TableView[];
  curves: CurveView[];
  predictions: PredictionView[];
}

/** The declared specs, in their order, then those that another version of the lab filled in, by name. */
function withForeign<S extends { name: string }>(
  declared: readonly S[],
  found: Readonly<Record<string, unknown>>,
  foreign: (name: string) => S,
): S[] {
  const extra = Object.keys(found).filter((name) => !declared.some((one) => one.name === name));
  return [...declared.filter(({ name }) => Object.hasOwn(found, name)), ...extra.map(foreign)];
}

const described = ({ text }: { text?: string | undefined }): { text?: string } =>
  text === undefined ? {} : { text };

const cellText = (cell: Cell | undefined, column: ColumnSpec): string => {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return column.unit === 'B' ? quantityText(cell, column) : shownQuantity(cell, column).value;
};

function tableView(
  spec: { name: string; label: string; text?: string | undefined; columns: readonly ColumnSpec[] },
  rows: readonly Readonly<Record<string, Cell>>[],
): TableView {
  const columns = [...spec.columns];
  for (const row of rows)
    for (const name of Object.keys(row))
      if (!columns.some((column) => column.name === name)) columns.push({ name, label: name });
  return {
    name: spec.name,
    label: spec.label,
    ...described(spec),
    columns: columns.map(({ name, label, unit }) => ({
      name,
      label,
      unit: unit === undefined || unit === 'B' ? '' : unit,
      numeric: rows.some((row) => typeof row[name] === 'number'),
    })),
    rows: rows.map((row) => columns.map((column) => cellText(row[column.name], column))),
  };
}

function barsView(
  { bars, columns }: TableSpec,
  rows: readonly Readonly<Record<string, Cell>>[],
): BarsView | null {
  const column = columns.find(({ name }) => name === bars?.length);
  if (!bars || !column) return null;
  const list: BarsView['rows'] = [];
  let start = 0;
  for (const row of rows) {
    const [by, value] = [cellText(row[bars.by], column), row[bars.length]];
    if (typeof value !== 'number') return null;
    const shown = cellText(value, column);
    list.push({
      name: cellText(row[bars.name], column),
      by,
      look: bars.looks[by] ?? null,
      start,
      length: value,
      shown,
    });
    start += value;
  }
  const split = [...new Set(list.map(({ by }) => by))].map((by) => {
    const own = list.filter((row) => row.by === by);
    const share = start === 0 ? 0 : (100 * own.reduce((sum, { length }) => sum + length, 0)) / start;
    return { by, look: own[0]!.look, share, shown: quantityText(share, { unit: '%' }) };
  });
  return {
    columns: [bars.name, bars.length, bars.by],
    unit: column.unit ?? '',
    rows: list,
    total: { value: start, shown: quantityText(start, column) },
    split,
  };
}

const axisView = (axis: CurveSpec['x']): AxisView => ({
  label: axis.label,
  unit: axis.unit ?? '',
  log: axis.log === true,
  show: (value) => (axis.unit === 'B' ? quantityText(value, axis) : shownQuantity(value, axis).value),
});

const ONLY = 'only';

/** Points by x. Several at one place are repetitions: their median, with the smallest and the largest. */
function merged(points: readonly Point[]): Point[] {
  const at = new Map<number, Point[]>();
  for (const point of points) at.set(point.x, [...(at.get(point.x) ?? []), point]);
  return [...at]
    .sort(([a], [b]) => a - b)
    .map(([x, all]) => {
      const ys = all.flatMap(({ y }) => y ?? []);
      if (all.length === 1 || ys.length === 0) return all[0]!;
      return { x, y: median(ys), min: Math.min(...ys), max: Math.max(...ys) };
    });
}

function curveView(spec: CurveSpec, points: readonly Point[]): CurveView {
  const declared: NonNullable<CurveSpec['series']> = spec.series ?? [{ name: ONLY, label: spec.y.label }];
  const names = new Set(points.map(({ series = declared[0]?.name ?? ONLY }) => series));
  const extra = [...names].filter((name) => !declared.some((one) => one.name === name));
  const series = [...declared, ...extra.map((name) => ({ name, label: name }))]
    .filter(({ name }) => names.has(name))
    .map((one) => ({
      ...one,
      points: merged(points.filter(({ series: of = declared[0]?.name ?? ONLY }) => of === one.name)),
    }));
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const { name, label } = spec;
  return {
    name,
    label,
    ...described(spec),
    x: axisView(spec.x),
    y: axisView(spec.y),
    series,
    table: tableView(
      {
        name,
        label,
        columns: [
          { ...spec.x, name: 'x' },
          ...series.map((one) => ({ ...spec.y, name: one.name, label: one.label })),
        ],
      },
      xs.map((x) => ({
        x,
        ...Object.fromEntries(
          series.map((one) => [one.name, one.points.find((point) => point.x === x)?.y ?? null]),
        ),
      })),
    ),
  };
}

type Verdict = Pick<PredictionView, 'verdict' | 'held'>;

const NO_VERDICT: Verdict = { verdict: null, held: null };
const HELD: Verdict = { verdict: 'As you predicted.', held: true };
const NOT_HELD: Verdict = { verdict: 'Not as you predicted.', held: false };

/** `Within 10 % of your prediction.`, `2.3× your prediction.`; null where there is nothing to compare. */
function verdictOf(prediction: Prediction, predicted: Guess, measured: Guess): Verdict {
  if (prediction.kind !== 'number')
    return JSON.stringify(predicted) === JSON.stringify(measured) ? HELD : NOT_HELD;
  if (typeof predicted !== 'number' || typeof measured !== 'number') return NO_VERDICT;
  if (predicted === measured) return HELD;
  const ratio = measured / predicted;
  if (!Number.isFinite(ratio) || ratio <= 0) return NOT_HELD;
  return Math.abs(ratio - 1) <= 0.1
    ? { verdict: 'Within 10 % of your prediction.', held: true }
    : { verdict: `${formatDigits(ratio, 2)}× your prediction.`, held: false };
}

function guessText(prediction: Prediction, guess: Guess): string {
  if (prediction.kind === 'number')
    return typeof guess === 'number' ? quantityText(guess, prediction) : String(guess);
  const option = (id: string): string => prediction.options.find((one) => one.id === id)?.text ?? id;
  return Array.isArray(guess) ? guess.map(option).join(', ') : option(String(guess));
}

function predictionView(prediction: Prediction, results: LabResults): PredictionView {
  const predicted = results.predicted[prediction.id] ?? null;
  const measured = outcomeOf(prediction, results);
  return {
    id: prediction.id,
    text: prediction.text,
    predicted: predicted === null ? null : guessText(prediction, predicted),
    measured: measured === null ? null : guessText(prediction, measured),
    unanswered: prediction.unanswered ?? 'not measured',
    ...(predicted === null || measured === null ? NO_VERDICT : verdictOf(prediction, predicted, measured)),
  };
}

/** Figures in the order of the lab, those that it does not declare last. */
function figureViews(
  figures: LabResults['figures'],
  declared: readonly FigureSpec[] = [],
): ResultViews['figures'] {
  return withForeign(declared, figures, (name): FigureSpec => ({ name, label: name })).map((spec) => {
    const { value, min, max, n } = figures[spec.name]!;
    const [from, to] = [shownQuantity(min, spec), shownQuantity(max, spec)];
    return {
      name: spec.name,
      label: spec.label,
      ...described(spec),
      raw: value,
      shown: shownQuantity(value, spec),
      spread:
        // A single repetition has no spread.
        min === undefined || max === undefined || n === 1
          ? null
          : `${from.unit === to.unit ? from.value : quantityText(min, spec)}${rangeSign(min)}${quantityText(max, spec)}`,
      n: n ?? null,
    };
  });
}

/** `lab`: the agent's description; without it, results go by their names. */
export function resultViews(
  results: LabResults = noResults(),
  lab?: Pick<LabDescription, 'results' | 'predictions'>,
): ResultViews {
  const { figures, tables = [], curves = [] } = lab?.results ?? {};
  const named = (name: string): FigureSpec => ({ name, label: name });
  return {
    figures: figureViews(results.figures, figures),
    tables: withForeign(tables, results.tables, (name): TableSpec => ({ ...named(name), columns: [] })).map(
      (spec) => {
        const rows = results.tables[spec.name]!;
        const bars = barsView(spec, rows);
        return { ...tableView(spec, rows), ...(bars ? { bars } : {}) };
      },
    ),
    curves: withForeign(curves, results.curves, (name): CurveSpec => ({
      ...named(name),
      x: { label: 'x' },
      y: { label: 'y' },
    })).map((spec) => curveView(spec, results.curves[spec.name]!)),
    predictions: (lab?.predictions ?? []).map((one) => predictionView(one, results)),
  };
}

/** The figures of a run that are known, in the order in which its lab declares them. */
export const shownFigures = (
  results: Pick<LabResults, 'figures'> | undefined,
  lab: Pick<LabDescription, 'results'> | undefined,
): ResultViews['figures'] =>
  figureViews(results?.figures ?? {}, lab?.results?.figures).filter(({ raw }) => raw !== null);

/** The first figures of a run in one line, for lists: `Longest registration 12 µs`. Null where it has none. */
export function headline(
  results: Pick<LabResults, 'figures'> | undefined,
  lab: Pick<LabDescription, 'results'> | undefined,
): string | null {
  const shown = shownFigures(results, lab).slice(0, 2);
  return shown.length === 0
    ? null
    : shown
        .map(({ label, shown: { value, unit } }) => `${label}: ${value}${unit === '' ? '' : `\u00a0${unit}`}`)
        .join('; ');
}
