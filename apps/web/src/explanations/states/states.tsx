'use client';
import { useCallback, useMemo, useState } from 'react';
import { useRunSession } from '../../connection/use-session';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { StateDetails, TransitionDetails } from './details';
import { Graph } from './graph';
import { chosen, compute, countsOf, DEFAULTS, SPECS } from './model';
import { edgeOf, pathOf, type Move } from './path';
import { nameOf, TRANSITIONS } from './transitions';
import { Walk } from './walk';

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
  // Null: nobody has moved the slider, so all moves are shown.
  const [step, setStep] = useState<number | null>(null);
  const of = useMemo(
    () => ({ id: 'states', using: { at }, specs: SPECS, found: compute(results, { at }) }),
    [results, at],
  );
  const walked = step ?? moves.length;
  const made = useMemo(() => {
    if (step !== null) return new Set(moves.slice(0, step).map(edgeOf));
    return new Set(TRANSITIONS.map(nameOf).filter((name) => countsOf(results, name).granted > 0));
  }, [step, moves, results]);
  const walk = useCallback(
    (to: number) => {
      setStep(to);
      const move = moves[to - 1];
      change({ at: move ? edgeOf(move) : 'RESET' });
    },
    [moves, change],
  );
  const choose = useCallback((to: string) => change({ at: to }), [change]);
  const what = chosen(at);
  return (
    <>
      <div className="grid gap-x-8 gap-y-5 xl:grid-cols-[640px_minmax(0,1fr)]">
        <div>
          <Graph
            at={at}
            onChoose={choose}
            made={made}
            now={step === null ? null : (moves[walked - 1]?.to ?? 'RESET')}
          />
          {moves.length > 0 ? (
            <div className="mt-3">
              <Walk moves={moves} step={walked} onStep={walk} />
            </div>
          ) : null}
        </div>
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
