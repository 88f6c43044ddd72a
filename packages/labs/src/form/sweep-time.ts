/** Duration of a sweep, by the declaration of its lab. */
import type { LabDescription, SweepPlan } from '@verbslab/protocol';
import type { PropertySchema } from './params.js';

/**
 * Seconds that the runs of a sweep measure, without set-up and checks; null where the lab does not declare how long a
 * run takes.
 */
export function sweepSeconds(
  { points, repeat, params }: Pick<SweepPlan, 'points' | 'repeat' | 'params'>,
  lab: Pick<LabDescription, 'timing' | 'params'> | undefined,
): number | null {
  const timing = lab?.timing;
  if (!timing) return null;
  const properties = (lab.params.properties ?? {}) as Record<string, PropertySchema>;
  const defaults = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, property.default]),
  );
  return points.reduce((sum, point) => {
    const values: Record<string, unknown> = { ...defaults, ...params, ...point };
    const seconds =
      Number(values[timing.measured]) + Number(values[timing.warmUp]) * Number(values[timing.rounds]);
    return sum + seconds * (timing.turns.of[String(values[timing.turns.param])] ?? 1) * repeat;
  }, 0);
}
