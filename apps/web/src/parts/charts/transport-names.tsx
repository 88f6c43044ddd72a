'use client';
import { TRANSPORT_NAME, TRANSPORTS, transportName, type Transport } from '@verbslab/protocol';
import type { LineLook } from '@verbslab/charts';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import type { Topic } from '../../model/run-model';
import { TRANSPORT_COLOR } from './colors';
import { useTopicsOf } from '../../connection/use-session';

export type NameOf = (transport: Transport) => string;

const Names = createContext<NameOf>((transport) => TRANSPORT_NAME[transport]);

const Shm = createContext(false);

const TOPICS: readonly Topic[] = ['record', 'state'];

/** Name of a transport in headings and legends of this run's page, with its link if known. */
export const useTransportName = (): NameOf => useContext(Names);

/** Look of a transport in charts of this run's page: RDMA that used only shared memory has the color of that link. */
export function useTransportLook(): (transport: Transport) => LineLook {
  const [shm, nameOf] = [useContext(Shm), useContext(Names)];
  return (transport) => ({
    name: nameOf(transport),
    ...TRANSPORT_COLOR[transport === 'rdma' && shm ? 'shm' : transport],
  });
}

/** `view`: null where there is no run yet. */
export function TransportNames({ view, children }: { view: RunView | null; children: ReactNode }) {
  useTopicsOf(
    useMemo(() => (view ? [view] : []), [view]),
    TOPICS,
  );
  // A string, which stays equal while the names do, so that panels are not redrawn.
  const names = TRANSPORTS.map((transport) => transportName(transport, view?.model.linkOf(transport))).join(
    '\n',
  );
  const nameOf = useMemo<NameOf>(() => {
    const list = names.split('\n');
    return (transport) => list[TRANSPORTS.indexOf(transport)] ?? TRANSPORT_NAME[transport];
  }, [names]);
  return (
    <Shm value={view?.model.linkOf('rdma') === 'shm'}>
      <Names value={nameOf}>{children}</Names>
    </Shm>
  );
}
