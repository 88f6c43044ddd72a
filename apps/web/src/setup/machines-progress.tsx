'use client';
import { MACHINE_STEPS, type MachinesWork, type SetUp } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { infoToFailure } from '../connection/failure';
import { ProgressBar } from '../ui/progress-bar';
import { FailureNote } from '../ui/states';
import { leftText, STEP_WORDS, stepsDone, workText } from './machines-text';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`;

/** ms since the work began: as the agent said last, and on from there. */
function useTook({ took, state }: MachinesWork): number {
  const [since, setSince] = useState({ took, more: 0 });
  useEffect(() => {
    if (state !== 'working') return;
    const said = Date.now();
    const timer = setInterval(() => setSince({ took, more: Date.now() - said }), 1000);
    return () => clearInterval(timer);
  }, [took, state]);
  return state === 'working' && since.took === took ? took + since.more : took;
}

/** A start or a stop of the virtual machines: how far it is, what the machines print, and how it ended. */
export function MachinesProgress({ work, vms }: { work: MachinesWork; vms: SetUp['vms'] }) {
  const took = useTook(work);
  const { what, state, said, machines, output, error } = work;
  const text = workText(work);
  const left = what === 'up' && state === 'working' ? leftText(took, vms.starts, vms.plan) : '';
  return (
    <div data-machines={what} data-state={state} className="mt-3 max-w-[44rem]">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span role="status">{text}</span>
        <span className="num text-13 text-ink-2">{seconds(took)}</span>
      </p>
      {left === '' ? null : <p className="text-13 text-ink-2">{left}</p>}
      {said.length > 0 ? (
        <ul className="mt-1 text-13 text-ink-2">
          {said.map((one) => (
            <li key={one}>{`${one.charAt(0).toUpperCase()}${one.slice(1)}`}</li>
          ))}
        </ul>
      ) : null}
      {what === 'up' && state !== 'cancelled' ? (
        <ul className="mt-1">
          {machines.map(({ name, step, at }) => (
            <li
              key={name}
              data-machine={name}
              data-reached={step}
              className="grid grid-cols-[2rem_1fr_auto] items-center gap-x-3 py-1 text-13 sm:grid-cols-[2rem_14rem_1fr_3rem]"
            >
              <span className="num font-medium">{name}</span>
              <span className="text-ink-2">{STEP_WORDS[step]}</span>
              <span className="max-sm:order-last max-sm:col-span-3">
                <ProgressBar
                  label={`Machine ${name}: steps done of ${MACHINE_STEPS.length}`}
                  value={stepsDone(step)}
                  max={MACHINE_STEPS.length}
                  part={stepsDone(step) / MACHINE_STEPS.length}
                  width="w-full"
                />
              </span>
              <span className="num text-right text-ink-3">{seconds(at)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {error ? <FailureNote failure={infoToFailure(error)} className="mt-2" /> : null}
      {what === 'up' && output !== '' ? (
        <details open={state === 'working' || state === 'failed'} className="mt-2">
          <summary className="min-h-8 py-1 text-13 text-ink-2">Last lines of the consoles</summary>
          <pre
            tabIndex={0}
            role="group"
            aria-label="Last lines of the consoles"
            className="num thin-scroll mt-1 max-h-52 overflow-auto bg-panel p-2 text-12 break-all whitespace-pre-wrap"
          >
            {output}
          </pre>
        </details>
      ) : null}
    </div>
  );
}
