'use client';
import type { RunRecord, RunRow } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import type { Failure } from '../ui/states';
import { toFailure } from './failure';
import { request, useAgent } from './store';

/**
 * The whole record of a run of which a list shows a row; null until it is known. It is asked for again when the row says
 * that the run has another state. `latest`: the last one that came, of this run or of the one before it, so that a page need
 * not go blank in between.
 */
export function useRecord(row: Pick<RunRow, 'id' | 'state'> | null | undefined): {
  record: RunRecord | null;
  latest: RunRecord | null;
  failure: Failure | null;
} {
  const connected = useAgent((s) => s.status === 'open');
  const [known, setKnown] = useState<RunRecord | null>(null);
  const [failed, setFailed] = useState<{ id: string; failure: Failure } | null>(null);
  const id = row?.id;
  const state = row?.state;
  useEffect(() => {
    if (id === undefined || !connected) return;
    let gone = false;
    request('run.get', { runId: id }).then(
      ({ run }) => {
        if (gone) return;
        setKnown(run);
        setFailed(null);
      },
      (error: unknown) => {
        if (!gone) setFailed({ id, failure: toFailure(error) });
      },
    );
    return () => {
      gone = true;
    };
  }, [id, state, connected]);
  return {
    record: known !== null && known.id === id ? known : null,
    latest: known,
    failure: failed !== null && failed.id === id ? failed.failure : null,
  };
}
