'use client';
import { useCallback, useMemo } from 'react';
import { useRunSession } from '../../connection/use-session';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { StateDetails, TransitionDetails } from './details';
import { chosen, compute, DEFAULTS, SPECS } from './model';
import { pathOf, type Move } from './path';
import { StatesFigure } from './states-figure';

export default function States({ run }: { run: ExplainedRun }) {
  return run.sample ? (
    <OfRun run={run} moves={run.sample.derived as readonly Move[]} />
  ) : (
    <OfOwnRun run={run} />
  );
}

const NONE: readonly Move[] = [];

/** The moves of a run of the reader come with its stream. */
function OfOwnRun({ run }: { run: ExplainedRun }) {
  const session = useRunSession(run.record.id);
  const view = session?.state === 'complete' ? session.view : null;
  const moves = useMemo(() => (view ? pathOf(view.model) : NONE), [view]);
  return <OfRun run={run} moves={moves} />;
}

function OfRun({ run: { results }, moves }: { run: ExplainedRun; moves: readonly Move[] }) {
  const [{ at }, change] = useControls(DEFAULTS);
  const of = useMemo(
    () => ({ id: 'states', using: { at }, specs: SPECS, found: compute(results, { at }) }),
    [results, at],
  );
  const choose = useCallback((to: string) => change({ at: to }), [change]);
  const what = chosen(at);
  return (
    <>
      <div className="grid gap-x-8 gap-y-5 xl:grid-cols-[640px_minmax(0,1fr)]">
        <StatesFigure {...{ results, moves, at }} onChoose={choose} />
        <section aria-live="polite" data-words>
          {'state' in what ? (
            <StateDetails state={what.state} results={results} onChoose={choose} />
          ) : (
            <TransitionDetails transition={what.transition} />
          )}
        </section>
      </div>
      <ExplainedViews of={of} />
    </>
  );
}
