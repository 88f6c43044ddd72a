'use client';
import { useEffect, useId, useState } from 'react';
import { text, time } from '../../format/number';
import { Button } from '../../ui/button';
import { useReducedMotion } from '../../ui/use-reduced-motion';
import type { Move } from './path';

/** Time between two moves while they play, ms. */
const STEP_MS = 1100;

/** The moves of a QP in a run, one after the other: a slider over them, and the time of each. */
export function Walk(props: { moves: readonly Move[]; step: number; onStep: (step: number) => void }) {
  const { moves, step, onStep } = props;
  const id = useId();
  const calm = useReducedMotion();
  const [playing, setPlaying] = useState(false);
  const ended = step >= moves.length;
  useEffect(() => {
    if (!playing || ended) return;
    const timer = setTimeout(() => onStep(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, ended, step, onStep]);
  const move = moves[step - 1];
  const says = move ? `${text(time(move.t))}: ${move.from} → ${move.to}` : '0: the QP is created in RESET';
  return (
    <div className="flex max-w-[640px] flex-wrap items-center gap-x-4 gap-y-1 text-13">
      <label htmlFor={id}>The QP of the run</label>
      <input
        id={id}
        type="range"
        min={0}
        max={moves.length}
        step={1}
        value={step}
        aria-valuetext={says}
        onChange={(e) => {
          setPlaying(false);
          onStep(Number(e.target.value));
        }}
        className="h-8 min-w-32 flex-1 accent-(--accent) pointer-coarse:h-11"
      />
      {calm ? null : (
        <Button
          onClick={() => {
            if (ended) onStep(0);
            setPlaying(ended || !playing);
          }}
        >
          {playing && !ended ? 'Pause' : 'Play'}
        </Button>
      )}
      <output htmlFor={id} className="num w-full" data-words>
        {says}
      </output>
    </div>
  );
}
