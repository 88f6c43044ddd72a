'use client';
import type { LabResults } from '@verbslab/protocol';
import { Fragment } from 'react';
import { cn } from '../../ui/cn';
import { countsOf } from './model';
import { nameOf, STATES, TRANSITIONS, type Transition } from './transitions';

interface DiagramProps {
  results: LabResults;
  at: string;
  onChoose: (at: string) => void;
}

/** The path of a QP from left to right, and what is possible from every state below it. */
export function Diagram({ results, at, onChoose }: DiagramProps) {
  const between = (from: string, to: string): Transition[] =>
    TRANSITIONS.filter((one) => one.from === from && one.to === to);
  const path = STATES.filter((state) => state !== 'ERR');
  const arrow = (one: Transition) => {
    const counts = countsOf(results, nameOf(one));
    return <Arrow key={nameOf(one)} of={one} counts={counts} on={nameOf(one) === at} onChoose={onChoose} />;
  };
  return (
    <div role="group" aria-label="States and transitions of an RC QP" data-words>
      <div className="flex flex-col items-start gap-1 sm:flex-row sm:flex-wrap sm:items-center">
        {path.map((state, i) => (
          <Fragment key={state}>
            {i > 0 ? (
              <span className="flex flex-col gap-1">
                {between(path[i - 1]!, state).map(arrow)}
                {between(state, path[i - 1]!).map(arrow)}
              </span>
            ) : null}
            <StateButton state={state} on={at === state} onChoose={onChoose} />
          </Fragment>
        ))}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-1">
        <StateButton state="ERR" on={at === 'ERR'} onChoose={onChoose} />
        {TRANSITIONS.filter(({ from }) => from === null).map(arrow)}
      </div>
      <p className="mt-2 text-13 text-ink-2">
        A thick arrow is a transition that the run made. Counts: granted ✓, refused ✗.
      </p>
    </div>
  );
}

const BUTTON = 'num min-h-8 rounded-[3px] border text-12 pointer-coarse:min-h-11';

function StateButton(props: { state: string; on: boolean; onChoose: (at: string) => void }) {
  const { state, on, onChoose } = props;
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onChoose(state)}
      className={cn(
        BUTTON,
        'w-16',
        on
          ? 'border-ink bg-ink font-semibold text-page'
          : state === 'ERR'
            ? 'border-error bg-panel text-error-ink hover:bg-error-wash'
            : 'border-line-strong bg-panel hover:bg-hover',
      )}
    >
      {state}
    </button>
  );
}

function Arrow(props: {
  of: Transition;
  counts: { granted: number; refused: number };
  on: boolean;
  onChoose: (at: string) => void;
}) {
  const { of, counts, on, onChoose } = props;
  const { granted, refused } = counts;
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onChoose(nameOf(of))}
      className={cn(
        BUTTON,
        'inline-flex items-center gap-1.5 px-2',
        on ? 'border-ink bg-hover font-semibold' : 'border-transparent hover:bg-hover',
      )}
    >
      <span className={of.from === null ? undefined : 'sr-only'}>{of.from ?? 'any'}</span>{' '}
      <svg
        viewBox="0 0 20 10"
        aria-hidden
        className={cn(
          'w-5',
          granted > 0 ? 'text-accent' : 'text-ink-3',
          of.from === 'SQD' && 'sm:rotate-180',
        )}
      >
        <path
          d="M2 5H17M13 1L17 5L13 9"
          stroke="currentColor"
          strokeWidth={granted > 0 ? 2.5 : 1}
          fill="none"
        />
      </svg>
      <span className="sr-only">to</span>{' '}
      <span className={of.from === null || of.from === 'SQD' ? undefined : 'sr-only'}>{of.to}</span>{' '}
      {granted + refused > 0 ? (
        <span className="text-ink-2">
          <Count of={granted} sign="✓" word="granted" /> <Count of={refused} sign="✗" word="refused" />
        </span>
      ) : null}
    </button>
  );
}

/** A number with its sign; screen readers say the word instead. */
function Count({ of, sign, word }: { of: number; sign: string; word: string }) {
  return (
    <>
      {of}
      <span aria-hidden>{sign}</span>
      <span className="sr-only"> {word}</span>
    </>
  );
}
