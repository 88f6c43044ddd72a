'use client';
import type { MachinesWork, SetUp } from '@verbslab/protocol';
import { Play, Square, X } from 'lucide-react';
import { useMemo } from 'react';
import { ActionButton } from '../actions/action-button';
import { cancelMachines } from '../actions/cancel-machines';
import { usePageHandle } from '../actions/page-store';
import { startMachines } from '../actions/start-machines';
import { stopMachines } from '../actions/stop-machines';
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
        ...(startable ? { startMachines: () => void ask('machines.start') } : {}),
        ...(stoppable ? { stopMachines: () => void ask('machines.stop') } : {}),
        ...(cancellable ? { cancelMachines: () => void ask('machines.cancel') } : {}),
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
          <ActionButton action={cancelMachines} icon={X} />
        ) : whole ? null : (
          <ActionButton action={startMachines} icon={Play} kind="primary" />
        )}
        {stoppable ? <ActionButton action={stopMachines} icon={Square} /> : null}
      </div>
      {vms.missing ? (
        <p className="mt-1 text-13 text-ink-2">Install what the step above lists first.</p>
      ) : null}
      {failure ? <FailureNote failure={failure} className="mt-2" /> : null}
      {work ? <MachinesProgress work={work} vms={vms} /> : null}
    </>
  );
}
