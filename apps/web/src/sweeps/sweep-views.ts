import {
  shown,
  sweepCurves,
  quantityText,
  shownQuantity,
  type CurveView,
  type SweepCurve,
  type TableView,
} from '@verbslab/labs';
import {
  TRANSPORT_NAME,
  transportFigureSpec,
  type LabDescription,
  type Measurement,
  type SweepPlan,
} from '@verbslab/protocol';
import { fieldsOf, valueText } from '../labs/form-model';

/** A figure of a sweep: its curves together where several transports have it. */
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
    // A percentile keeps its small letter.
    const label = own ? own.label.replace(/^[a-z](?=[a-z])/, (c) => c.toUpperCase()) : curve.label;
    const figure = figures.get(name) ?? { name, label, unit: curve.unit ?? '', curves: [] };
    figure.curves.push({
      name: own ? own.transport : 'only',
      label: own ? TRANSPORT_NAME[own.transport] : curve.label,
      curve,
    });
    figures.set(name, figure);
  }
  return [...figures.values()];
}

/** Title and values of the swept parameters, as forms show them. */
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

/** Medians, spreads and counts of every point. */
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

/** The chart of a figure over one numeric parameter; null where its values are names. */
export function curveOf(plan: SweepPlan, axes: readonly Axis[], figure: FigureOfSweep): CurveView | null {
  const [axis] = axes;
  if (axes.length !== 1 || !axis) return null;
  if (!plan.points.every((point) => typeof point[axis.param] === 'number')) return null;
  const number = (unit: string) => (value: number) =>
    unit === 'B' ? shown(value, 'B') : shownQuantity(value, {}).value;
  return {
    name: figure.name,
    label: figure.label,
    x: { label: axis.title, unit: axis.unit, log: axis.scale === 'log', show: number(axis.unit) },
    y: { label: figure.label, unit: figure.unit, log: figure.unit === 'µs', show: number(figure.unit) },
    series: figure.curves.map(({ name, label, curve }) => ({
      name,
      label,
      points: plan.points
        .map((point, at) => {
          const stat = curve.points[at];
          const x = Number(point[axis.param]);
          if (!stat) return { x, y: null };
          return { x, y: stat.value, ...(stat.n > 1 ? { min: stat.min, max: stat.max } : {}) };
        })
        .sort((a, b) => a.x - b.x),
    })),
    table: tableOf(plan, axes, figure),
  };
}

/** Where the curves bend, with the name of the series where there are several. */
export function kneesOf(
  plan: SweepPlan,
  figure: FigureOfSweep,
): { name: string; x: number; label: string }[] {
  const param = plan.axes[0]!.param;
  return figure.curves.flatMap(({ name, label, curve }) =>
    curve.knee === null
      ? []
      : [
          {
            name,
            x: Number(plan.points[curve.knee]![param]),
            label: figure.curves.length > 1 ? `knee of ${label}` : 'knee',
          },
        ],
  );
}
