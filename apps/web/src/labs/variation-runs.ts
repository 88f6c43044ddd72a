import { MOST_COMPARED } from '@verbslab/labs';
import type { LabDescription, RunRow } from '@verbslab/protocol';
import { fieldsOf } from '../model/fields';

/**
 * The latest run of each variation of a lab, the defaults first: runs with exactly its parameters. `runs`: newest first.
 */
export function variationRuns(lab: LabDescription, runs: readonly RunRow[]): RunRow[] {
  const presets = Object.fromEntries(fieldsOf(lab.params).map(({ name, preset }) => [name, preset]));
  const done = runs.filter((run) => run.lab === lab.id && run.state === 'done');
  return [{ params: {} }, ...(lab.variations ?? [])]
    .flatMap(({ params }) => {
      const wanted: Record<string, unknown> = { ...presets, ...params };
      const run = done.find(({ parameters }) =>
        Object.entries(wanted).every(([name, value]) => (parameters[name] ?? null) === (value ?? null)),
      );
      return run ? [run] : [];
    })
    .slice(0, MOST_COMPARED);
}
