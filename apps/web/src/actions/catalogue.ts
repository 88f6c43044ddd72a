'use client';
import { useMemo } from 'react';
import { useAgent } from '../connection/store';
import { runHref } from '../runs/figures';
import type { Action } from './types';

/** Actions that come from what the agent offers: one a lab, one a recent run. */
export function useCatalogueActions(): Action[] {
  const labs = useAgent((s) => s.labs);
  const runs = useAgent((s) => s.runs);
  return useMemo(
    () => [
      ...labs.map((lab): Action => ({
        name: `lab-${lab.id}`,
        label: lab.question,
        group: 'Go',
        keywords: `lab ${lab.id} ${lab.title}`,
        perform: (ctx) => ctx.navigate(`/labs/${lab.id}`),
      })),
      ...(runs ?? []).slice(0, 8).map((run): Action => ({
        name: `run-${run.id}`,
        label: `Run ${run.number}: ${run.title}`,
        group: 'Go',
        keywords: `run ${run.lab} ${run.state}`,
        perform: (ctx) => ctx.navigate(runHref(run.id)),
      })),
    ],
    [labs, runs],
  );
}
