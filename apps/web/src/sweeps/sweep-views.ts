import type { Mark } from '@verbslab/charts';
import {
  shown,
  sweepCurves,
  quantityText,
  shownQuantity,
  type AxisView,
  type CurveView,
  type SweepCurve,
  type TableView,
} from '@verbslab/labs';
import {
  TRANSPORT_NAME,
  transportFigureSpec,
  type LabDescription,
  type Measurement,
  type PointValues,
  type SweepPlan,
} from '@verbslab/protocol';
import { fieldsOf, valueText } from '../model/fields';

/** A figure of a sweep, with a curve for each transport that has it. */
export interface FigureOfSweep {
  name: string;
  label: string;
  unit: string;
  curves: { name: string; label: string; curve: SweepCurve }[];
}

export function figuresOf(
  plan: SweepPlan,
  measurements: readonly Measurement[],
  lab: LabDescription | undefined,
): FigureOfSweep[] {
  const figures = new Map<string, FigureOfSweep>();
  for (const curve of sweepCurves(plan, measurements, lab)) {
    if (curve.points.every((point) => point === null)) continue;
    const own = transportFigureSpec(curve.figure);
    const name = own ? own.label : curve.figure;
    // A percentile keeps its lower-case letter.
    const label = own ? own.label.replace(/^[a-z](?=[a-z])/, (c) => c.toUpperCase()) : curve.label;
    const figure = figures.get(name) ?? { name, label, unit: curve.unit ?? '', curves: [] };
    figure.curves.push({
      name: own ? own.transport : 'only',
      label: own ? TRANSPORT_NAME[own.transport] : curve.label,
      curve,
    });
    figures.set(name, figure);
  }
  // A single transport has its name in the title, because charts do not name a single series.
  return [...figures.values()].map((figure) => {
    const [only] = figure.curves;
    return figure.curves.length === 1 && only && only.name !== 'only'
      ? { ...figure, label: only.curve.label }
      : figure;
  });
}

/** Titles and values of the swept parameters, in the format of forms. */
export function axesOf(plan: SweepPlan, lab: LabDescription | undefined) {
  const fields = lab ? fieldsOf(lab.params) : [];
  return plan.axes.map(({ param, scale }) => {
    const field = fields.find(({ name }) => name === param);
    return {
      param,
      scale,
      title: field?.title ?? param,
      unit: field?.unit ?? '',
      text: (value: unknown): string => (field ? valueText(field, value) : String(value)),
    };
  });
}
export type Axis = ReturnType<typeof axesOf>[number];

/** Median, spread and count of every point. */
export function tableOf(plan: SweepPlan, axes: readonly Axis[], figure: FigureOfSweep): TableView {
  const unit = figure.unit === 'B' ? '' : figure.unit;
  const number = (value: number): string =>
    figure.unit === 'B' ? quantityText(value, { unit: 'B' }) : shownQuantity(value, {}).value;
  const several = figure.curves.length > 1;
  return {
    name: figure.name,
    label: figure.label,
    columns: [
      ...axes.map(({ param, title }) => ({ name: param, label: title, unit: '', numeric: false })),
      ...figure.curves.flatMap(({ name, label }) => [
        { name, label: several ? `${label} median` : 'Median', unit, numeric: true },
        { name: `${name}-spread`, label: 'Min–max', unit, numeric: true },
        { name: `${name}-n`, label: 'n', unit: '', numeric: true },
      ]),
    ],
    rows: plan.points.map((point, at) => [
      ...axes.map(({ param, text }) => text(point[param])),
      ...figure.curves.flatMap(({ curve }) => {
        const stat = curve.points[at];
        if (!stat) return ['–', '–', '0'];
        const spread = stat.n > 1 ? `${number(stat.min)}–${number(stat.max)}` : '–';
        return [number(stat.value), spread, String(stat.n)];
      }),
    ]),
  };
}

const showing = (unit: string) => (value: number) =>
  unit === 'B' ? shown(value, 'B') : shownQuantity(value, {}).value;

/** Axis of the figure: logarithmic for times, otherwise from zero. */
export const valueAxis = ({ label, unit }: FigureOfSweep): AxisView => ({
  ...{ label, unit, log: unit === 'µs', show: showing(unit) },
});

/** Curves of a figure as series, with the spread of repeated points. */
export const seriesOver = (
  plan: SweepPlan,
  figure: FigureOfSweep,
  xOf: (point: PointValues, at: number) => number,
): CurveView['series'] =>
  figure.curves.map(({ name, label, curve }) => ({
    name,
    label,
    points: plan.points.map((point, at) => {
      const stat = curve.points[at];
      const x = xOf(point, at);
      if (!stat) return { x, y: null };
      return { x, y: stat.value, ...(stat.n > 1 ? { min: stat.min, max: stat.max } : {}) };
    }),
  }));

/** Kind of chart for a sweep's figures: a curve over numbers, dots over names, a heat map over two parameters. */
export function drawingOf({ points }: SweepPlan, axes: readonly Axis[]): 'curve' | 'choices' | 'grid' {
  const [axis] = axes;
  if (axes.length !== 1 || !axis) return 'grid';
  return points.every((point) => typeof point[axis.param] === 'number') ? 'curve' : 'choices';
}

/** Chart of a figure over a single numeric parameter; null for other sweeps. */
export function curveOf(plan: SweepPlan, axes: readonly Axis[], figure: FigureOfSweep): CurveView | null {
  const [axis] = axes;
  if (!axis || drawingOf(plan, axes) !== 'curve') return null;
  return {
    name: figure.name,
    label: figure.label,
    x: { label: axis.title, unit: axis.unit, log: axis.scale === 'log', show: showing(axis.unit) },
    y: valueAxis(figure),
    series: seriesOver(plan, figure, (point) => Number(point[axis.param])).map((one) => ({
      ...one,
      points: one.points.sort((a, b) => a.x - b.x),
    })),
    table: tableOf(plan, axes, figure),
  };
}

/** Values of a point as text: `4 KiB, 16 WRs`. */
export const pointName = (plan: SweepPlan, axes: readonly Axis[], at: number): string =>
  axes.map(({ param, text }) => text(plan.points[at]?.[param])).join(', ');

/** Values of a figure in a run: `RDMA 1.23, TCP 0.98 Gb/s`. */
export function runValue({ curves, unit }: FigureOfSweep, { figures }: Measurement): string {
  const values = curves.map(({ label, curve }) => {
    const value = quantityText(figures[curve.figure], { unit: unit === 'B' ? 'B' : '' });
    return curves.length > 1 ? `${label} ${value}` : value;
  });
  return `${values.join(', ')}${unit === '' || unit === 'B' ? '' : `\u00a0${unit}`}`;
}

/**
 * Marks at the knees of the curves, with the names of the series if there are several. Curves with a knee at the same
 * value share a mark.
 */
export function kneesOf(plan: SweepPlan, figure: FigureOfSweep): Mark[] {
  const param = plan.axes[0]!.param;
  const several = figure.curves.length > 1;
  const marks: Mark[] = [];
  for (const { name, label, curve } of figure.curves) {
    if (curve.knee === null) continue;
    const x = Number(plan.points[curve.knee]![param]);
    const there = marks.findIndex((one) => one.x === x);
    const old = marks[there];
    if (old) marks[there] = { ...old, names: [...old.names, name], label: `${old.label}, ${label}` };
    else marks.push({ names: [name], x, label: several ? `knee of ${label}` : 'knee' });
  }
  return marks;
}
