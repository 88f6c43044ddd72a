'use client';
import type { LabDescription, RunMode } from '@verbslab/protocol';
import { useCallback, useState } from 'react';
import { toFailure } from '../../connection/failure';
import { request, useAgent } from '../../connection/store';
import { chosenPlaces } from '../../parts/forms/places';
import { useLabForm } from '../../parts/forms/use-lab-form';
import type { Failure } from '../../ui/states';
import { missingText } from '../missing';
import { guesses, type Guessing } from '../reading/guesses';

const NO_PREDICTIONS: NonNullable<LabDescription['predictions']> = [];

/**
 * What starts a run of a lab: its form, the predictions, and why it cannot be started. `query`: what an address asks for.
 */
export function useStarter(lab: LabDescription, query: string, onStart: (id: string) => void) {
  const form = useLabForm(lab, query);
  const { reading, chosen, wrong, keep } = form;
  const connected = useAgent((s) => s.status === 'open');
  const predictions = lab.predictions ?? NO_PREDICTIONS;
  const [given, setGiven] = useState<Guessing>({});
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const missing = missingText(lab, reading.values, form.devices);
  const ready = connected && !wrong && !starting && missing === null;
  const start = useCallback(
    async (mode: RunMode) => {
      setStarting(true);
      setFailure(null);
      try {
        const { run } = await request('run.start', {
          ...{ lab: lab.id, params: reading.values, mode },
          ...chosenPlaces(chosen),
          ...guesses(predictions, given),
        });
        keep();
        onStart(run.id);
      } catch (e) {
        setFailure(toFailure(e));
      } finally {
        setStarting(false);
      }
    },
    [lab.id, reading, chosen, predictions, given, keep, onStart],
  );
  return {
    ...{ form, predictions, given, connected, starting, failure, missing, ready, start },
    guess: (id: string, guess: Guessing[string]) => setGiven((all) => ({ ...all, [id]: guess })),
  };
}

export type Starter = ReturnType<typeof useStarter>;
