import type { QpState } from '@verbslab/protocol';
import { Fragment } from 'react';
import { cn } from './cn';
import { Explained } from './explained';
import { TERMS, type TermId } from './terms';

const MAIN = ['RESET', 'INIT', 'RTR', 'RTS'] as const;

type KnownState = Exclude<QpState, 'UNKNOWN'>;

/** Glossary term for each state, with the actions that it allows. */
export const STATE_TERMS: Record<KnownState, TermId> = {
  RESET: 'reset',
  INIT: 'init',
  RTR: 'rtr',
  RTS: 'rts',
  SQD: 'sqd',
  SQE: 'sqe',
  ERR: 'err',
};

/**
 * States of a QP in a row. The current state is filled, and the transitions of this step are bold. Each state explains
 * what it allows.
 */
export function QpStates(props: {
  name: string;
  state: QpState | null;
  moves: readonly (readonly [QpState, QpState])[];
}) {
  const { name, state, moves } = props;
  const made = (a: string, b: string) => moves.some(([from, to]) => from === a && to === b);
  // The creation of a QP is no transition.
  const told = moves.filter(([from, to]) => from !== to);
  const failed = state === 'ERR' || moves.some(([, to]) => to === 'ERR');
  const aside: KnownState[] = [
    ...(failed ? (['ERR'] as const) : []),
    ...(state === 'SQD' || state === 'SQE' ? [state] : []),
  ];
  return (
    <div className="min-w-0" data-qp-endpoint={name} data-qp-state={state ?? ''}>
      <p className="mb-1 flex items-baseline gap-2 text-13">
        <span className="font-medium">{name}</span>
        <span className="num text-12 text-ink-3" data-shows="qp-state">
          {state ?? 'no QP'}
        </span>
        {told.length > 0 ? (
          <span className="sr-only">{told.map(([a, b]) => `${a} to ${b}`).join(', ')} in this step</span>
        ) : null}
      </p>
      <ol
        className="flex flex-wrap items-center gap-y-1"
        aria-label={`States of the ${name.toLowerCase()}’s QP`}
      >
        {MAIN.map((s, i) => (
          <Fragment key={s}>
            {i > 0 ? <Arrow strong={made(MAIN[i - 1]!, s)} /> : null}
            <Box state={s} on={s === state} none={state === null} />
          </Fragment>
        ))}
        {aside.map((s) => (
          <Fragment key={s}>
            <Arrow strong />
            <Box state={s} on={s === state} none={false} />
          </Fragment>
        ))}
      </ol>
      <p className="mt-1 min-h-5 text-13 text-ink-2">
        {state && state !== 'UNKNOWN' ? TERMS[STATE_TERMS[state]].meaning : ''}
      </p>
    </div>
  );
}

function Box({ state, on, none }: { state: KnownState; on: boolean; none: boolean }) {
  return (
    <li aria-current={on ? 'step' : undefined}>
      <Explained
        meaning={TERMS[STATE_TERMS[state]].meaning}
        className={cn(
          'num min-h-8 w-16 cursor-help rounded-[3px] border text-12 pointer-coarse:min-h-11',
          on
            ? state === 'ERR'
              ? 'border-error bg-error font-semibold text-page'
              : 'border-ink bg-ink font-semibold text-page'
            : 'border-line-strong bg-panel text-ink-2',
          none && 'border-dashed',
        )}
      >
        {state}
      </Explained>
    </li>
  );
}

function Arrow({ strong }: { strong: boolean }) {
  return (
    <li aria-hidden className="w-5">
      <svg viewBox="0 0 20 10" className={strong ? 'text-accent' : 'text-line-strong'}>
        <path d="M2 5H17M13 1L17 5L13 9" stroke="currentColor" strokeWidth={strong ? 2.5 : 1} fill="none" />
      </svg>
    </li>
  );
}
