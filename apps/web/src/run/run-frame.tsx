'use client';
import { FEW_CPUS, isFinal } from '@verbslab/protocol';
import { useEffect, useMemo, type ReactNode } from 'react';
import { Replaying } from '../connection/replaying';
import type { RunSession } from '../connection/run-sessions';
import { useAgent } from '../connection/store';
import { useTopicsOf } from '../connection/use-session';
import type { Topic } from '../model/run-model';
import { TransportNames } from '../parts/charts/transport-names';
import { useMovedPacket } from './use-moved-packet';

const STATE: readonly Topic[] = ['state'];

/**
 * What all parts of a run's page have in common. A page that starts a run has the frame before the run as well, so that its
 * parts stay as they are. `stepped`: the run is gone through step by step, and its records are few.
 */
export function RunFrame(props: { session: RunSession | null; stepped: boolean; children: ReactNode }) {
  const { session, stepped, children } = props;
  const view = session?.view ?? null;
  useTopicsOf(
    useMemo(() => (view ? [view] : []), [view]),
    STATE,
  );
  const final = view !== null && isFinal(view.model.record.state);
  return (
    <TransportNames view={view}>
      <Replaying value={final && session?.state !== 'complete'}>
        {session?.view ? <Following session={session} sparing={!stepped && !final} /> : null}
        {children}
      </Replaying>
    </TransportNames>
  );
}

/** Follows a run that is open. `sparing`: leave the CPUs to the run, if there are few. */
function Following({ session, sparing }: { session: RunSession; sparing: boolean }): null {
  const view = session.view!;
  const fewCpus = useAgent((s) => s.agent !== null && s.agent.cpus <= FEW_CPUS);
  useMovedPacket(session);
  useEffect(() => view.setSparing(fewCpus && sparing), [view, fewCpus, sparing]);
  return null;
}
