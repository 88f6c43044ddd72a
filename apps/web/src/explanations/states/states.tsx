'use client';
import { Fragment, useMemo } from 'react';
import { STATE_TERMS } from '../../ui/qp-states';
import { TERMS } from '../../ui/terms';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { ATTRIBUTES } from './attributes';
import { Diagram } from './diagram';
import { chosen, compute, DEFAULTS, SPECS } from './model';
import { textOf } from './transitions';

export default function States({ run: { results } }: { run: ExplainedRun }) {
  const [{ at }, change] = useControls(DEFAULTS);
  const of = useMemo(
    () => ({ id: 'states', using: { at }, specs: SPECS, found: compute(results, { at }) }),
    [results, at],
  );
  const what = chosen(at);
  return (
    <>
      <Diagram results={results} at={at} onChoose={(to) => change({ at: to })} />
      <section aria-live="polite" data-words>
        {'state' in what ? (
          <>
            <h2 className="text-16 font-semibold">{what.state}</h2>
            <p className="prose mt-1">{TERMS[STATE_TERMS[what.state]].meaning}</p>
          </>
        ) : (
          <>
            <h2 className="text-16 font-semibold">{textOf(what.transition)}</h2>
            <dl className="mt-2 grid gap-x-6 gap-y-1 text-13 sm:grid-cols-[8rem_1fr]">
              {['STATE', ...what.transition.required].map((name, i) => (
                <Fragment key={name}>
                  <dt className="text-ink-2">{i === 0 ? 'Required' : ''}</dt>
                  <dd>
                    <span className="num">{name}</span>
                    <span className="text-ink-2">: {ATTRIBUTES[name]}</span>
                  </dd>
                </Fragment>
              ))}
              <dt className="text-ink-2">Optional</dt>
              <dd className="num">{what.transition.optional.join(', ') || 'none'}</dd>
            </dl>
            <p className="prose mt-2 text-13 text-ink-2">
              {what.transition.to}: {TERMS[STATE_TERMS[what.transition.to]].meaning} Attributes are those of
              an RC QP, without the prefix IBV_QP_. ibv_modify_qp fails with EINVAL if a required one is
              missing, if one is present that is neither required nor optional, or if the device cannot use a
              value.
            </p>
          </>
        )}
      </section>
      <ExplainedViews of={of} />
    </>
  );
}
