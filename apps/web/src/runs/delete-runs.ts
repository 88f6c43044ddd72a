import type { RunRow } from '@verbslab/protocol';
import { toFailure } from '../connection/failure';
import { request } from '../connection/store';
import type { Failure } from '../ui/states';

interface Refusal {
  run: RunRow;
  why: Failure;
}

/** Failure that lists the runs that were not deleted, with reasons; null if all were deleted. */
function refusals(all: number, refused: readonly Refusal[]): Failure | null {
  const [first] = refused;
  if (!first) return null;
  if (all === 1) return { ...first.why, what: `Run ${first.run.number} was not deleted. ${first.why.what}` };
  return {
    what: `${refused.length} of ${all} runs were not deleted.`,
    cure: first.why.cure,
    detail: refused.map(({ run, why }) => `Run ${run.number}: ${why.what}`).join('\n'),
  };
}

/** Deletes runs one after the other. A refusal does not stop the others. */
export async function deleteRuns(
  runs: readonly RunRow[],
  onProgress: (done: number) => void,
): Promise<Failure | null> {
  const refused: Refusal[] = [];
  for (const [index, run] of runs.entries()) {
    onProgress(index);
    try {
      await request('run.delete', { runId: run.id });
    } catch (e) {
      refused.push({ run, why: toFailure(e) });
    }
  }
  return refusals(runs.length, refused);
}
