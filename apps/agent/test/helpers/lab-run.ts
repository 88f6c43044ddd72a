/** A lab of the catalog on real endpoints, and the findings of its run. */
import { findLab } from '@verbslab/labs';
import { ProblemTally, type Check } from '@verbslab/protocol';
import { onTestFinished } from 'vitest';
import { startLab, type LabRun, type Meddling } from '../endpoint-harness.js';

export async function runLab(
  id: string,
  params: Record<string, unknown> = {},
  env: Record<string, string> = {},
  meddling: readonly Meddling[] = [],
): Promise<LabRun> {
  const lab = await startLab(findLab(id), { params, env, meddling });
  onTestFinished(() => lab.close());
  await lab.finished;
  return lab;
}

export const unmet = ({ checks }: LabRun): Check[] => checks.filter(({ ok }) => !ok);

/** Number of problems in a list of runs, apart from failed checks. */
export function problems({ recording }: Pick<LabRun, 'recording'>): number {
  const tally = new ProblemTally();
  for (const event of recording.events) tally.take(event);
  return tally.count;
}

/** Ids of the checks that fail when the lab’s commands are changed on their way to the endpoints. */
export async function unmetUnder(
  meddling: readonly Meddling[],
  id: string,
  params: Record<string, unknown> = {},
): Promise<string[]> {
  return unmet(await runLab(id, params, {}, meddling)).map((check) => check.id);
}

export const figures = ({ recording }: LabRun): Record<string, number | null> =>
  Object.fromEntries(recording.of('figure').map(({ name, value }) => [name, value]));

export const rows = ({ recording }: LabRun, name: string) =>
  recording
    .of('row')
    .filter(({ table }) => table === name)
    .map(({ cells }) => cells);

export const outcomes = ({ recording }: LabRun) =>
  Object.fromEntries(recording.of('outcome').map(({ prediction, value }) => [prediction, value]));
