'use client';
import { useMemo, useState } from 'react';
import type { RunView } from '../../connection/run-view';
import { useSample } from '../use-sample';
import { StateDetails, TransitionDetails } from './details';
import { chosen, DEFAULTS } from './model';
import { pathOf, type Move } from './path';
import { StatesFigure } from './states-figure';

/** The graph of the states as the picture of a lab: the moves of its run, or those of a sample before it. */
export function StatesPicture({ view }: { view: RunView | null }) {
  const { run: sample } = useSample('states');
  const [at, setAt] = useState<string>(DEFAULTS.at);
  const own = useMemo(
    () => (view ? { results: view.model.results, moves: pathOf(view.model) } : null),
    [view],
  );
  const shown =
    own ?? (sample ? { results: sample.results, moves: sample.sample?.derived as readonly Move[] } : null);
  if (!shown) return null;
  const what = chosen(at);
  return (
    <>
      <p className="mb-2 text-12 text-ink-3" data-words>
        {own
          ? 'The QP that changed its state most often in this run'
          : 'States of a QP, a recorded sample of this lab'}
      </p>
      {/* The slider of a sample is not that of the run which replaces it. */}
      <StatesFigure key={own ? 'run' : 'sample'} {...shown} at={at} onChoose={setAt} />
      <section className="mt-3" aria-live="polite" data-words>
        {'state' in what ? (
          <StateDetails state={what.state} results={shown.results} onChoose={setAt} />
        ) : (
          <TransitionDetails transition={what.transition} />
        )}
      </section>
    </>
  );
}
