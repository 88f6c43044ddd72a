/** Number and duration of a sweep's runs, for the form before the start. */
import { plural, sweepSeconds } from '@verbslab/labs';
import { runSeconds, type LabDescription, type RunRow, type SweepPlan } from '@verbslab/protocol';
import { secondsText } from '../format/number';

type Planned = Pick<SweepPlan, 'points' | 'repeat' | 'params'>;

/**
 * Text on the planned runs. `last` is the latest run of the lab, from which the duration is estimated if the lab
 * declares none.
 */
export function plannedSweep(plan: Planned, lab: LabDescription, last: RunRow | undefined): string {
  const { points, repeat } = plan;
  const runs = points.length * repeat;
  const product = `${plural(points.length, 'point')} × ${plural(repeat, 'repetition')} = ${plural(runs, 'run')}`;
  return `${product}. ${timeText(plan, lab, last, runs)}`;
}

function timeText(plan: Planned, lab: LabDescription, last: RunRow | undefined, runs: number): string {
  const declared = sweepSeconds(plan, lab);
  if (declared !== null)
    return `Takes at least ${secondsText(declared)}, plus set-up and checks of each run.`;
  const each = last ? runSeconds(last) : null;
  if (last && each !== null)
    return `Takes about ${secondsText(each * runs)} if every run takes as long as run ${last.number} (${secondsText(each)}).`;
  return 'The first run shows how long they take.';
}
