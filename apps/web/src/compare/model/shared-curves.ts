import { resultViews, type CurveView } from '@verbslab/labs';
import type { LabDescription, LabResults } from '@verbslab/protocol';

export interface CurvesOf {
  letter: string;
  lab: LabDescription | undefined;
  results: LabResults;
}

/** The curves that two runs or more have: one chart for each series, with a line for each run. */
export function sharedCurves(runs: readonly CurvesOf[]): CurveView[] {
  const all = runs.map(({ letter, lab, results }) => ({ letter, curves: resultViews(results, lab).curves }));
  const names = [...new Set(all.flatMap(({ curves }) => curves.map(({ name }) => name)))];
  return names.flatMap((name) => {
    const having = all.flatMap(({ letter, curves }) => {
      const curve = curves.find((one) => one.name === name);
      return curve ? [{ letter, curve }] : [];
    });
    if (having.length < 2) return [];
    const series = new Map(
      having.flatMap(({ curve }) => curve.series.map((one) => [one.name, one.label] as const)),
    );
    return [...series].flatMap(([of, label]) => {
      const lines = having.flatMap(({ letter, curve }) => {
        const own = curve.series.find((one) => one.name === of);
        return own ? [{ name: letter, label: letter, points: own.points }] : [];
      });
      return lines.length < 2 ? [] : [curveOf(having[0]!.curve, series.size > 1 ? label : null, of, lines)];
    });
  });
}

function curveOf(like: CurveView, label: string | null, of: string, series: CurveView['series']): CurveView {
  const title = label === null ? like.label : `${like.label}: ${label}`;
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  return {
    ...like,
    name: `${like.name} ${of}`,
    label: title,
    series,
    table: {
      name: `${like.name} ${of}`,
      label: title,
      columns: [
        { name: 'x', label: like.x.label, unit: like.x.unit === 'B' ? '' : like.x.unit, numeric: true },
        ...series.map(({ name }) => ({
          ...{ name, label: name, numeric: true },
          unit: like.y.unit === 'B' ? '' : like.y.unit,
        })),
      ],
      rows: xs.map((x) => [
        like.x.show(x),
        ...series.map(({ points }) => {
          const y = points.find((point) => point.x === x)?.y ?? null;
          return y === null ? '–' : like.y.show(y);
        }),
      ]),
    },
  };
}
