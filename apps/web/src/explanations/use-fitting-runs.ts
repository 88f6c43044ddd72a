'use client';
import type { RunRow } from '@verbslab/protocol';
import { useMemo } from 'react';
import { useAgent } from '../connection/store';
import type { Explanation } from './list';

/** The ended runs of the list that an explanation can take, newest first. Null while the list is not known. */
export function useFittingRuns({ lab, fits }: Explanation): RunRow[] | null {
  const runs = useAgent((s) => s.runs);
  return useMemo(
    () => runs && runs.filter((run) => run.lab === lab && run.state === 'done' && fits(run)),
    [runs, lab, fits],
  );
}
