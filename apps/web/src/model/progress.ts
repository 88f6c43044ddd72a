/** Progress in the labs, as the catalog shows it, and the next lab. */
import type { LabProgress } from '@verbslab/protocol';
import { when } from '../format/number';
import type { LabListing } from './catalog-search';

/** Number of self-checks of each lab, by its id. */
export type CheckCounts = Readonly<Record<string, number>>;

export const progressOf = (list: readonly LabProgress[], lab: string): LabProgress | undefined =>
  list.find((one) => one.lab === lab);

const rightOf = (progress: LabProgress): number => progress.checks.filter(({ right }) => right).length;

/** Text such as "Last run 20 Nov, 13:05:09. 2 of 3 self-checks right."; null without progress. */
export function progressText(progress: LabProgress | undefined, checks: number): string | null {
  if (!progress) return null;
  const said: string[] = [];
  if (progress.lastRunAt !== null) said.push(`Last run ${when(progress.lastRunAt)}.`);
  if (checks > 0 && progress.checks.length > 0)
    said.push(`${rightOf(progress)} of ${checks} self-checks right.`);
  return said.length > 0 ? said.join(' ') : null;
}

/**
 * The first lab of the catalog that was not run, or else the first with a self-check without a correct answer. Null if
 * all is done.
 */
export function nextLab(
  labs: readonly LabListing[],
  list: readonly LabProgress[],
  checks: CheckCounts,
): { lab: LabListing; why: 'run' | 'answer' } | null {
  const notRun = labs.find(({ id }) => !progressOf(list, id)?.runs);
  if (notRun) return { lab: notRun, why: 'run' };
  const open = labs.find(({ id }) => {
    const progress = progressOf(list, id);
    return (checks[id] ?? 0) > (progress ? rightOf(progress) : 0);
  });
  return open ? { lab: open, why: 'answer' } : null;
}
