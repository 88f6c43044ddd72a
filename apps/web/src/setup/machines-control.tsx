'use client';
import type { MachinesWork, SetUp } from '@verbslab/protocol';
import { Play, Square, X } from 'lucide-react';
import { useMemo } from 'react';
import { ActionButton } from '../actions/action-button';
import { usePageHandle } from '../actions/page-store';
import type { PageHandle } from '../actions/types';
import { FailureNote } from '../ui/states';
import { MachinesProgress } from './machines-progress';
import { planText } from './machines-text';
import type { MachinesAsked } from './use-machines';

/** Starts, cancels and stops the virtual machines through the agent. `whole`: all are ready and paired. */
export function MachinesControl({
  vms,
  whole,
  machines: { work, failure, ask },
}: {
  vms: SetUp['vms'];
  whole: boolean;
  machines: MachinesAsked & { work: MachinesWork | null };
}) {
  const working = work?.state === 'working';
  const startable = !working && !whole && vms.missing === null;
  const stoppable = !working && vms.machines.length > 0;
  const cancellable = working && work.what === 'up';
  usePageHandle(
    useMemo(
      (): PageHandle => ({
        ...(startable ? { 'start-machines': () => void ask('machines.start') } : {}),
        ...(stoppable ? { 'stop-machines': () => void ask('machines.stop') } : {}),
        ...(cancellable ? { 'cancel-machines': () => void ask('machines.cancel') } : {}),
      }),
      [startable, stoppable, cancellable, ask],
    ),
  );
  return (
    <>
      {vms.plan && !working && vms.machines.length === 0 ? (
        <p className="mt-1 max-w-[72ch] text-ink-2">{planText(vms.plan, vms.starts).join(' ')}</p>
      ) : null}
      <div className="mt-2 flex flex-wrap gap-2">
        {cancellable ? (
          <ActionButton action="cancel-machines" icon={X} />
        ) : whole ? null : (
          <ActionButton action="start-machines" icon={Play} kind="primary" />
        )}
        {stoppable ? <ActionButton action="stop-machines" icon={Square} /> : null}
      </div>
      {vms.missing ? (
        <p className="mt-1 text-13 text-ink-2">Install what the step above lists first.</p>
      ) : null}
      {failure ? <FailureNote failure={failure} className="mt-2" /> : null}
      {work ? <MachinesProgress work={work} vms={vms} /> : null}
    </>
  );
}
