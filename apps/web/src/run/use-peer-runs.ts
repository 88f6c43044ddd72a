'use client';
import { isFinal, peerRuns, type RunRow } from '@verbslab/protocol';
import { useMemo } from 'react';
import { request, useAgent } from '../connection/store';
import { useKept } from '../connection/use-kept';

/** Peers start together, so they are among this many runs on either side of a run in the list. */
const NEAR = 32;

/** The runs of the programs that a program was connected to, once both have ended; they are known from their results. */
export function usePeerRuns(run: RunRow): RunRow[] {
  const listed = useAgent((s) => s.runs);
  const connected = useAgent((s) => s.status === 'open');
  const { number } = run;
  const far = isFinal(run.state) && connected && listed !== null && !listed.some((one) => one.id === run.id);
  // The page is complete without them.
  const { kept } = useKept(
    far ? String(number) : null,
    async () => (await request('run.rows', { limit: 2 * NEAR, before: number + NEAR })).runs,
  );
  return useMemo(() => peerRuns(run, (far ? kept : listed) ?? []), [run, far, kept, listed]);
}
