/** Figures of several runs side by side, each with its difference from a baseline. */
import { describedBy, type LabDescription, type LabResults, type RunRecord } from '@verbslab/protocol';
import { formatDigits } from '../base/format.js';
import { compare } from '../base/verdict.js';
import { comparedFigures, type ComparedFigure } from './figures.js';

/**
 * Difference of a figure from that of the baseline. `unclear`: the ranges overlap. `few`: too few rounds for a verdict.
 */
export interface Change {
  /** Null where the baseline is zero. */
  percent: number | null;
  verdict: 'higher' | 'lower' | 'same' | 'unclear' | 'few';
}

export interface FigureRow {
  name: string;
  label: string;
  unit: string;
  /** Figures in the order of the runs; null where a run does not have the figure. */
  figures: (ComparedFigure | null)[];
  /** Null for the baseline itself, and where one of the two was not measured. */
  changes: (Change | null)[];
}

/** A run to compare, with its results so far if it has not ended. */
export interface ComparedRun {
  record: RunRecord;
  results?: LabResults;
}

/** The verdict on the first of two measured figures beside the second. @param among verdicts that the page states */
export function figureVerdict(a: ComparedFigure, b: ComparedFigure, among: number): Change['verdict'] {
  if (a.value === b.value) return 'same';
  return a.stat && b.stat ? compare(a.stat, b.stat, among) : 'few';
}

function changeOf(base: ComparedFigure | null, own: ComparedFigure | null, among: number): Change | null {
  if (!base || !own || base.value === null || own.value === null) return null;
  const verdict = figureVerdict(own, base, among);
  if (verdict === 'same') return { percent: 0, verdict };
  return { percent: base.value === 0 ? null : (own.value / base.value - 1) * 100, verdict };
}

/** `+12 %`, `−4.5 %`. */
export function percentText(percent: number): string {
  const size = Math.abs(percent);
  const digits = size >= 100 ? 3 : 2;
  const text = formatDigits(Number(size.toPrecision(digits)), digits);
  return `${percent < 0 ? '−' : '+'}${text}\u00a0%`;
}

export function changeText(change: Change | null): string {
  if (!change) return '–';
  if (change.verdict === 'same') return 'same';
  if (change.verdict === 'unclear') return 'no clear difference';
  return change.percent === null ? '–' : percentText(change.percent);
}

/**
 * The number of verdicts that a comparison may state: one per pair of runs with repetitions, for each figure. At least
 * one.
 */
export function verdictsAmong(rows: readonly Pick<FigureRow, 'figures'>[]): number {
  const pairs = rows.map(({ figures }) => {
    const repeated = figures.filter((one) => one?.stat && one.stat.n > 1).length;
    return (repeated * (repeated - 1)) / 2;
  });
  return Math.max(
    1,
    pairs.reduce((sum, each) => sum + each, 0),
  );
}

/** Every figure that one of the runs has: those of transports first, then in the order of the labs. */
export function figureRows(
  runs: readonly ComparedRun[],
  labs: readonly LabDescription[],
  baseline: number,
): FigureRow[] {
  const all = runs.map(({ record, results }) =>
    comparedFigures(record.result, describedBy(labs, record), results),
  );
  const names = [...new Set(all.flatMap((figures) => [...figures.keys()]))];
  const rows = names.map((name) => ({ name, figures: all.map((one) => one.get(name) ?? null) }));
  const among = verdictsAmong(rows);
  return rows.map(({ name, figures }) => {
    const spec = figures.find((one) => one !== null)!;
    return {
      name,
      label: spec.label,
      unit: spec.unit,
      figures,
      changes: figures.map((own, i) =>
        i === baseline ? null : changeOf(figures[baseline] ?? null, own, among),
      ),
    };
  });
}

/** True if two runs or more have measured the figure. */
export const isShared = ({ figures }: FigureRow): boolean =>
  figures.filter((one) => one !== null && one.value !== null).length > 1;
