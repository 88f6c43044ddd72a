/** Curves of a sweep so far: the median and spread of each figure at each point, and the knee. */
import {
  transportFigureSpec,
  TRANSPORT_NAME,
  type LabDescription,
  type Measurement,
  type SweepPlan,
} from '@verbslab/protocol';
import { bendOf, KNEE_PART, statOf, type Stat } from '../base/sweep.js';
import { compare, repetitionsFor } from '../base/verdict.js';

export interface SweepCurve {
  figure: string;
  label: string;
  unit?: string;
  /** Statistics per point of the plan; null where nothing was measured yet. */
  points: (Stat | null)[];
  /** Index of the knee; null where the rule does not apply. */
  knee: number | null;
}

/** Rule of the knee, as shown beside it. */
export const KNEE_RULE = `The knee is the first value that reaches ${KNEE_PART * 100} % of the best median. Only rates (units per second) over one numeric parameter have one, and only if the curve rises clearly, which takes ${repetitionsFor(2)} repetitions of each value or more, does not fall clearly after that, and the knee is neither the first nor the last value.`;

/** True for the unit of a rate. A larger rate is better; for other figures that is not known. */
export const isRate = (unit: string | undefined): boolean => unit !== undefined && /(\/s|b\/s)$/.test(unit);

/** Each value after the first may be the one that a curve rises to. */
const verdictsOf = ({ points }: SweepPlan, rates: number): number => Math.max(1, (points.length - 1) * rates);

/** Repetitions of each value from which a curve may have a knee, in a sweep with `rates` rates. */
export const repetitionsForKnee = (plan: SweepPlan, rates: number): number =>
  repetitionsFor(verdictsOf(plan, rates));

export function sweepCurves(
  plan: SweepPlan,
  measurements: readonly Measurement[],
  lab: LabDescription | undefined,
): SweepCurve[] {
  const names = [...new Set(measurements.flatMap(({ figures }) => Object.keys(figures)))];
  const rates = names.filter((figure) => isRate(specOf(figure, lab).unit)).length;
  return names.map((figure) => {
    const points = plan.points.map((_, point) => {
      const values = measurements.flatMap((one) => {
        const value = one.point === point && one.state === 'done' ? one.figures[figure] : null;
        return value === null || value === undefined ? [] : [value];
      });
      return values.length === 0 ? null : statOf(values);
    });
    const { label, unit } = specOf(figure, lab);
    const knee = isRate(unit) ? kneeAt(plan, points, verdictsOf(plan, rates)) : null;
    return { figure, label, ...(unit === undefined ? {} : { unit }), points, knee };
  });
}

function specOf(figure: string, lab: LabDescription | undefined): { label: string; unit?: string } {
  const own = transportFigureSpec(figure);
  if (own) return { label: `${TRANSPORT_NAME[own.transport]} ${own.label}`, unit: own.unit };
  const declared = lab?.results?.figures?.find(({ name }) => name === figure);
  return {
    label: declared?.label ?? figure,
    ...(declared?.unit === undefined ? {} : { unit: declared.unit }),
  };
}

/** The curve rises clearly, and no value lies clearly below one before it. */
function saturates(ascending: readonly Stat[], among: number): boolean {
  const [first] = ascending;
  if (!first) return false;
  // A fall that is none only hides a knee, so it needs less evidence.
  const falls = ascending.some((one, i) =>
    ascending.slice(0, i).some((before) => compare(one, before, 1) === 'lower'),
  );
  return !falls && ascending.some((one) => compare(one, first, among) === 'higher');
}

function kneeAt({ axes, points }: SweepPlan, stats: readonly (Stat | null)[], among: number): number | null {
  if (axes.length !== 1) return null;
  const measured = stats.flatMap((stat, index) => {
    const x = points[index]![axes[0]!.param];
    return stat && typeof x === 'number' ? [{ x, y: stat.value, stat }] : [];
  });
  const ascending = measured.toSorted((a, b) => a.x - b.x).map(({ stat }) => stat);
  if (!saturates(ascending, among)) return null;
  const x = bendOf(measured);
  return x === null ? null : points.findIndex((point) => point[axes[0]!.param] === x);
}
