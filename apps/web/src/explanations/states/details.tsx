import type { LabResults } from '@verbslab/protocol';
import { Fragment } from 'react';
import { Button } from '../../ui/button';
import { STATE_TERMS } from '../../ui/qp-states';
import { TERMS } from '../../ui/terms';
import { ATTRIBUTES } from './attributes';
import { countsOf } from './model';
import { RULES } from './rules';
import { nameOf, outOf, textOf, type State, type Transition } from './transitions';

/** What a state allows, and the transitions that lead out of it with the calls of the run. */
export function StateDetails(props: { state: State; results: LabResults; onChoose: (at: string) => void }) {
  const { state, results, onChoose } = props;
  const { send, recv, packets } = RULES[state];
  return (
    <>
      <h2 className="text-16 font-semibold">{state}</h2>
      <p className="prose mt-1">{TERMS[STATE_TERMS[state]].meaning}</p>
      <dl className="mt-2 grid grid-cols-[9rem_1fr] gap-x-4 gap-y-1 text-13">
        <dt className="text-ink-2">ibv_post_send</dt>
        <dd>{send}</dd>
        <dt className="text-ink-2">ibv_post_recv</dt>
        <dd>{recv}</dd>
        <dt className="text-ink-2">Arriving packets</dt>
        <dd>{packets}</dd>
      </dl>
      <ul className="mt-3 flex flex-wrap gap-2">
        {outOf(state).map((one) => (
          <li key={nameOf(one)}>
            <Button size="small" className="num" onClick={() => onChoose(nameOf(one))}>
              {textOf(one)} <Counts results={results} name={nameOf(one)} />
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Calls of the run: granted and refused. Nothing if there were none. */
function Counts({ results, name }: { results: LabResults; name: string }) {
  const { granted, refused } = countsOf(results, name);
  if (granted + refused === 0) return null;
  return (
    <span className="text-ink-2">
      {granted}
      <span aria-hidden>✓</span>
      <span className="sr-only"> granted</span> {refused}
      <span aria-hidden>✗</span>
      <span className="sr-only"> refused</span>
    </span>
  );
}

/** Attributes of a transition, or the reason for one that the device makes. */
export function TransitionDetails({ transition }: { transition: Transition }) {
  const { required, optional, automatic, to } = transition;
  return (
    <>
      <h2 className="text-16 font-semibold">{textOf(transition)}</h2>
      {automatic ? (
        <p className="prose mt-1">The device makes it. {automatic}</p>
      ) : (
        <dl className="mt-2 grid gap-x-4 gap-y-1 text-13 sm:grid-cols-[6rem_1fr]">
          {['STATE', ...required].map((name, i) => (
            <Fragment key={name}>
              <dt className={i === 0 ? 'text-ink-2' : 'max-sm:hidden'}>{i === 0 ? 'Required' : ''}</dt>
              <dd>
                <span className="num">{name}</span>
                <span className="text-ink-2">: {ATTRIBUTES[name]}</span>
              </dd>
            </Fragment>
          ))}
          <dt className="text-ink-2">Optional</dt>
          <dd className="num">{optional.join(', ') || 'none'}</dd>
        </dl>
      )}
      <p className="prose mt-2 text-13 text-ink-2">
        {to}: {TERMS[STATE_TERMS[to]].meaning}
        {automatic
          ? ''
          : ' Attributes are those of an RC QP, without IBV_QP_. A missing or foreign attribute, or an unusable value, is EINVAL.'}
      </p>
    </>
  );
}
