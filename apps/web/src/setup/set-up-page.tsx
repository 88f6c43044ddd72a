'use client';
import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { ActionButton } from '../actions/action-button';
import { usePageHandle } from '../actions/page-store';
import { Absent, useAbsent } from '../connection/absent';
import { useAgent } from '../connection/store';
import { FailureNote } from '../ui/states';
import { later } from './machines-text';
import { OwnMachines } from './own-machines';
import { Symptoms } from './symptoms';
import { useMachines } from './use-machines';
import { useSetUp } from './use-set-up';
import { VirtualMachines } from './virtual-machines';

/** Two ways to a lab across two machines: commands to copy, or a start by the agent, and checks that turn as these take effect. */
export function SetUpPage() {
  const absent = useAbsent();
  const connected = useAgent((s) => s.status === 'open');
  const { heard, ...machines } = useMachines();
  const { look, ...looked } = useSetUp(heard);
  const work = later(heard, looked.seen?.vms.work ?? null);
  const [asking, setAsking] = useState(false);
  const refresh = useCallback(async () => {
    setAsking(true);
    await look();
    setAsking(false);
  }, [look]);
  usePageHandle(
    useMemo(
      () => (connected && !asking ? { 'refresh-devices': () => void refresh() } : {}),
      [connected, asking, refresh],
    ),
  );
  return (
    <div className="max-w-[72rem]">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-28 font-semibold">Set up two machines</h1>
        <ActionButton action="refresh-devices" icon={RotateCw} busy={asking ? 'Refreshing…' : undefined} />
      </div>
      <p className="prose mt-2 text-ink-2">
        Use your own machines, or let the agent start two virtual ones. Copy the commands to a terminal: this
        page asks the agents every few seconds what has changed. Every lab also runs on this machine alone,
        without any of these steps.
      </p>
      {absent ? (
        <div className="mt-4">
          <Absent what="The steps and their state appear here" />
        </div>
      ) : (
        <>
          {looked.failure ? <FailureNote failure={looked.failure} className="mt-4" /> : null}
          <section aria-labelledby="own-machines" className="mt-6">
            <h2 id="own-machines" className="mb-2 text-20 font-semibold">
              My own machines
            </h2>
            <OwnMachines looked={looked} />
          </section>
          <section aria-labelledby="virtual-machines" className="mt-8">
            <h2 id="virtual-machines" className="mb-2 text-20 font-semibold">
              Virtual machines
            </h2>
            <VirtualMachines looked={looked} machines={{ ...machines, work }} />
          </section>
          {looked.seen ? <Symptoms all={looked.seen.symptoms} /> : null}
        </>
      )}
    </div>
  );
}
