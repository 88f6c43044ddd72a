'use client';
import { isFinal, type RunRecord } from '@verbslab/protocol';
import { useCallback, useEffect, useState, type RefObject } from 'react';
import type { Failure } from '../ui/states';
import { deleteRuns } from './delete-runs';
import { survivor } from './selection';

/** Deletes runs after asking, and puts the focus on a run that stays. */
export function useDeletion(
  /** Where the runs are shown, and what takes the focus when none stays. */
  list: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
  order: readonly string[],
) {
  const [asked, setAsked] = useState<readonly RunRecord[] | null>(null);
  const [deleting, setDeleting] = useState<{ done: number; of: number } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [focus, setFocus] = useState<{ run: string | null } | null>(null);

  // After the dialog has closed, which gives the focus back to what will be gone.
  useEffect(() => {
    if (!focus) return;
    const run =
      focus.run && list.current?.querySelector<HTMLElement>(`[data-run="${focus.run}"] [data-open]`);
    (run || heading.current)?.focus();
  }, [focus, list, heading]);

  const ask = useCallback((runs: readonly RunRecord[]) => {
    const ended = runs.filter(({ state }) => isFinal(state));
    if (ended.length > 0) setAsked(ended);
  }, []);
  const keep = useCallback(() => setAsked(null), []);
  const confirm = useCallback(
    async (runs: readonly RunRecord[]) => {
      setAsked(null);
      setFailure(null);
      setFocus({ run: survivor(order, new Set(runs.map(({ id }) => id))) });
      setFailure(await deleteRuns(runs, (done) => setDeleting({ done, of: runs.length })));
      setDeleting(null);
    },
    [order],
  );
  return { asked, deleting, failure, ask, keep, confirm };
}
