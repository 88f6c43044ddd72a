'use client';
import { isFinal, type RunRow } from '@verbslab/protocol';
import { useCallback, useEffect, useState, type RefObject } from 'react';
import type { Failure } from '../ui/states';
import { deleteRuns } from './delete-runs';
import { survivor } from './selection';

/** Deletes runs after a confirmation, and focuses a remaining run. */
export function useDeletion(
  /** Displayed runs, and the heading that gets the focus if none remains. */
  rows: RefObject<{ focus: (id: string) => void } | null>,
  heading: RefObject<HTMLElement | null>,
  order: readonly string[],
) {
  const [asked, setAsked] = useState<readonly RunRow[] | null>(null);
  const [deleting, setDeleting] = useState<{ done: number; of: number } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [focus, setFocus] = useState<{ run: string | null } | null>(null);

  // An effect, so that it runs after the dialog has closed, which returns the focus to an element that will be gone.
  useEffect(() => {
    if (!focus) return;
    if (focus.run !== null) rows.current?.focus(focus.run);
    else heading.current?.focus();
  }, [focus, rows, heading]);

  const ask = useCallback((runs: readonly RunRow[]) => {
    const ended = runs.filter(({ state }) => isFinal(state));
    if (ended.length > 0) setAsked(ended);
  }, []);
  const keep = useCallback(() => setAsked(null), []);
  const confirm = useCallback(
    async (runs: readonly RunRow[]) => {
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
