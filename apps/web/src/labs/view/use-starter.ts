'use client';
import type { LabDescription, RunMode } from '@verbslab/protocol';
import { useCallback, useState } from 'react';
import { useRunStart } from '../../connection/use-run-start';
import { chosenPlaces } from '../../parts/forms/places';
import { useLabForm } from '../../parts/forms/use-lab-form';
import { missingText } from '../missing';
import { guesses, type Guessing } from '../reading/guesses';

const NO_PREDICTIONS: NonNullable<LabDescription['predictions']> = [];

/**
 * What starts a run of a lab: its form, the predictions, and why it cannot be started. `query`: what an address asks for.
 */
export function useStarter(lab: LabDescription, query: string, onStart: (id: string) => void) {
  const form = useLabForm(lab, query);
  const { reading, chosen, wrong, keep } = form;
  const predictions = lab.predictions ?? NO_PREDICTIONS;
  const [given, setGiven] = useState<Guessing>({});
  const started = useCallback(
    (id: string) => {
      keep();
      onStart(id);
    },
    [keep, onStart],
  );
  const { connected, starting, failure, start: ask } = useRunStart(started);
  const missing = missingText(lab, reading.values, form.devices);
  const ready = connected && !wrong && !starting && missing === null;
  const start = useCallback(
    (mode: RunMode) =>
      ask({
        ...{ lab: lab.id, params: reading.values, mode },
        ...chosenPlaces(chosen),
        ...guesses(predictions, given),
      }),
    [ask, lab.id, reading, chosen, predictions, given],
  );
  return {
    ...{ form, predictions, given, connected, starting, failure, missing, ready, start },
    guess: (id: string, guess: Guessing[string]) => setGiven((all) => ({ ...all, [id]: guess })),
  };
}

export type Starter = ReturnType<typeof useStarter>;
