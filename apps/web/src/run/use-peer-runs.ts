'use client';
import { isFinal, peerRuns, type RunRow } from '@verbslab/protocol';
import { useEffect, useMemo, useState } from 'react';
import { request, useAgent } from '../connection/store';

/** Peers start together, so they are among this many runs on either side of a run in the list. */
const NEAR = 32;

/** The runs of the programs that a program was connected to, once both have ended; they are known from their results. */
export function usePeerRuns(run: RunRow): RunRow[] {
  const listed = useAgent((s) => s.runs);
  const connected = useAgent((s) => s.status === 'open');
  const [fetched, setFetched] = useState<readonly RunRow[]>([]);
  const { number } = run;
  const far = isFinal(run.state) && connected && listed !== null && !listed.some((one) => one.id === run.id);
  useEffect(() => {
    if (!far) return;
    let gone = false;
    request('run.rows', { limit: 2 * NEAR, before: number + NEAR }).then(
      ({ runs }) => {
        if (!gone) setFetched(runs);
      },
      // The page is complete without them.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [far, number]);
  return useMemo(() => peerRuns(run, far ? fetched : (listed ?? [])), [run, far, fetched, listed]);
}
