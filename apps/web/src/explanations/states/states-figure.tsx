'use client';
import type { LabResults } from '@verbslab/protocol';
import { useCallback, useMemo, useState } from 'react';
import { Graph } from './graph';
import { countsOf } from './model';
import { edgeOf, type Move } from './path';
import { nameOf, TRANSITIONS } from './transitions';
import { Walk } from './walk';

/** The graph of the states, with what a run made of it, and a slider over the moves of its QP. */
export function StatesFigure(props: {
  results: LabResults;
  moves: readonly Move[];
  /** Name of the chosen state or transition. */
  at: string;
  onChoose: (at: string) => void;
}) {
  const { results, moves, at, onChoose } = props;
  // Null until the slider is moved: all moves are shown.
  const [step, setStep] = useState<number | null>(null);
  const walked = step ?? moves.length;
  const made = useMemo(() => {
    if (step !== null) return new Set(moves.slice(0, step).map(edgeOf));
    return new Set(TRANSITIONS.map(nameOf).filter((name) => countsOf(results, name).granted > 0));
  }, [step, moves, results]);
  const walk = useCallback(
    (to: number) => {
      setStep(to);
      const move = moves[to - 1];
      onChoose(move ? edgeOf(move) : 'RESET');
    },
    [moves, onChoose],
  );
  return (
    <div className="@container">
      <Graph
        at={at}
        onChoose={onChoose}
        made={made}
        now={step === null ? null : (moves[walked - 1]?.to ?? 'RESET')}
      />
      {moves.length > 0 ? (
        <div className="mt-3">
          <Walk moves={moves} step={walked} onStep={walk} />
        </div>
      ) : null}
    </div>
  );
}
