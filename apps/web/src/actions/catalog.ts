'use client';
import { trackTitle, type LabDescription } from '@verbslab/protocol';
import { useMemo } from 'react';
import { runHref } from '../addresses';
import { useAgent } from '../connection/store';
import type { Action } from './types';

/** Runs that are listed before anything is searched for. */
const RECENT = 8;

/** Opens the page of a lab. */
export const openLab = ({ id, title, question, short, track }: LabDescription): Action => ({
  name: `lab-${id}`,
  label: `${title}: ${question}`,
  group: 'Go',
  keywords: `lab ${id} ${short ?? ''} ${trackTitle(track)}`,
  perform: (ctx) => ctx.navigate(`/labs/${id}`),
});

/** Actions that come from what the agent offers: one a lab, one a run. `all`: not the latest runs alone. */
export function useCatalogActions(all: boolean): Action[] {
  const labs = useAgent((s) => s.labs);
  const runs = useAgent((s) => s.runs);
  return useMemo(
    () => [
      ...labs.map(openLab),
      ...(runs ?? []).slice(0, all ? undefined : RECENT).map((run): Action => ({
        name: `run-${run.id}`,
        label: `Run ${run.number}: ${run.title}`,
        group: 'Go',
        keywords: [run.lab, run.state, ...(run.tags ?? [])].join(' '),
        perform: (ctx) => ctx.navigate(runHref(run.id)),
      })),
    ],
    [labs, runs, all],
  );
}
