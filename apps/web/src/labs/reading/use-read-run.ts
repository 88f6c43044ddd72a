'use client';
import { isFinal, noResults } from '@verbslab/protocol';
import { useMemo } from 'react';
import { useAgent } from '../../connection/store';
import { useRecord } from '../../connection/use-record';
import type { Failure } from '../../ui/states';
import type { ReadRun } from '../../parts/text/live';

/**
 * The ended run that a lab's page is about: the one that the address names, or else the latest of the lab that is in the
 * list. `null` while there is none.
 */
export function useReadRun(
  lab: string,
  named: string | null,
): { run: ReadRun | null; failure: Failure | null } {
  const listed = useAgent((s) =>
    s.runs?.find((run) => (named === null ? run.lab === lab && run.state === 'done' : run.id === named)),
  );
  const id = named ?? listed?.id;
  const state = listed?.state ?? 'done';
  const { record, latest, failure } = useRecord(id === undefined ? null : { id, state });
  const shown = record ?? (named === null && latest?.lab === lab ? latest : null);
  const run = useMemo(
    () =>
      shown && isFinal(shown.state) ? { record: shown, results: shown.result?.results ?? noResults() } : null,
    [shown],
  );
  return { run, failure: record ? null : failure };
}
