'use client';
import { TRANSPORT_NAME, TRANSPORTS, transportName, type Transport } from '@verbslab/protocol';
import type { LineLook } from '@verbslab/charts';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import type { Topic } from '../../model/run-model';
import { TRANSPORT_COLOR } from './colors';
import { useTopics } from '../../connection/use-session';

export type NameOf = (transport: Transport) => string;

const Names = createContext<NameOf>((transport) => TRANSPORT_NAME[transport]);

const Shm = createContext(false);

const TOPICS: readonly Topic[] = ['record', 'state'];

/** As headings and legends of this run's page call a transport: with the link that carried it, where that is known. */
export const useTransportName = (): NameOf => useContext(Names);

/** How charts of this run's page draw a transport: RDMA that went through shared memory alone has the color of that link. */
export function useTransportLook(): (transport: Transport) => LineLook {
  const [shm, nameOf] = [useContext(Shm), useContext(Names)];
  return (transport) => ({
    name: nameOf(transport),
    ...TRANSPORT_COLOR[transport === 'rdma' && shm ? 'shm' : transport],
  });
}

export function TransportNames({ view, children }: { view: RunView; children: ReactNode }) {
  useTopics(view, TOPICS);
  // One text, which stays equal while the names do: panels then need not draw again.
  const names = TRANSPORTS.map((transport) => transportName(transport, view.model.linkOf(transport))).join(
    '\n',
  );
  const nameOf = useMemo<NameOf>(() => {
    const list = names.split('\n');
    return (transport) => list[TRANSPORTS.indexOf(transport)] ?? TRANSPORT_NAME[transport];
  }, [names]);
  return (
    <Shm value={view.model.linkOf('rdma') === 'shm'}>
      <Names value={nameOf}>{children}</Names>
    </Shm>
  );
}
