// No schemas here: pages use the states of sweeps, and must not load a validator for them.

/** Most runs of a sweep: points times repetitions. */
export const MAX_SWEEP_RUNS = 500;

export const SWEEP_STATES = [
  'queued',
  'running',
  'paused',
  'done',
  'failed',
  'cancelled',
  'interrupted',
] as const;
export type SweepState = (typeof SWEEP_STATES)[number];

/** True for the states in which no more runs start. */
export const isFinalSweep = (state: SweepState): boolean =>
  state !== 'queued' && state !== 'running' && state !== 'paused';

/**
 * Point and round of each run. Every round goes over all points, alternately forward and backward, so that a slow
 * change of the machine affects all points alike.
 */
export function sweepOrder(points: number, repeat: number): { point: number; round: number }[] {
  return Array.from({ length: points * repeat }, (_, position) => {
    const round = Math.floor(position / points);
    const at = position % points;
    return { round, point: round % 2 === 0 ? at : points - 1 - at };
  });
}
