'use client';
import { isFinal, noResults, type RunRecord } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { toFailure } from '../../connection/failure';
import { request, useAgent } from '../../connection/store';
import type { Failure } from '../../ui/states';
import type { ReadRun } from './live';

/**
 * The ended run that a lab's page is about: the one that the address names, or else the latest of the lab that is in the
 * list. `null` while there is none.
 */
export function useReadRun(
  lab: string,
  named: string | null,
): { run: ReadRun | null; failure: Failure | null } {
  const connected = useAgent((s) => s.status === 'open');
  const listed = useAgent((s) =>
    s.runs?.find((run) => (named === null ? run.lab === lab && run.state === 'done' : run.id === named)),
  );
  const [fetched, setFetched] = useState<RunRecord | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const wanted = named !== null && listed === undefined ? named : null;
  useEffect(() => {
    if (wanted === null || !connected) return;
    let gone = false;
    request('run.get', { runId: wanted }).then(
      ({ run }) => {
        if (!gone) setFetched(run);
      },
      (e: unknown) => {
        if (!gone) setFailure(toFailure(e));
      },
    );
    return () => {
      gone = true;
    };
  }, [wanted, connected]);
  const record = listed ?? (fetched?.id === named ? fetched : null);
  return {
    run: record && isFinal(record.state) ? { record, results: record.result?.results ?? noResults() } : null,
    failure: record ? null : failure,
  };
}
