'use client';
import { useEffect, useState } from 'react';
import { toFailure } from '../connection/failure';
import { useAgent } from '../connection/store';
import type { Failure } from '../ui/states';
import { SAMPLED, sampleOf } from './samples';
import type { ExplainedRun } from './types';

/**
 * Recorded sample of an explanation; null until it is loaded, and for an explanation without one. It comes with the page,
 * so it shows without an agent too.
 */
export function useSample(id: string): { run: ExplainedRun | null; failure: Failure | null } {
  const status = useAgent((s) => s.status);
  const [run, setRun] = useState<ExplainedRun | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (!SAMPLED.includes(id) || run) return;
    let gone = false;
    sampleOf(id).then(
      (loaded) => {
        if (gone) return;
        setRun(loaded);
        setFailure(null);
      },
      (e: unknown) => {
        if (!gone) setFailure(toFailure(e));
      },
    );
    return () => {
      gone = true;
    };
  }, [id, run, status]);
  return { run, failure };
}
