'use client';
import { useMemo } from 'react';
import { STATE_TERMS } from '../../run/qp-states';
import { TERMS } from '../../ui/terms';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
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
              <dt className="text-ink-2">Required</dt>
              <dd className="num">{['STATE', ...what.transition.required].join(', ')}</dd>
              <dt className="text-ink-2">Optional</dt>
              <dd className="num">{what.transition.optional.join(', ') || 'none'}</dd>
            </dl>
            <p className="prose mt-2 text-13 text-ink-2">
              Attributes of an RC QP, without IBV_QP_. ibv_modify_qp fails with EINVAL if a required one is
              missing, if another one is present, or if the device cannot use a value. AV is the address
              vector: port and GID of the peer, and the GID index of the QP.
            </p>
          </>
        )}
      </section>
      <ExplainedViews of={of} />
    </>
  );
}
