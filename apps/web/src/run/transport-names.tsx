'use client';
import { TRANSPORT_NAME, TRANSPORTS, transportName, type Transport } from '@verbslab/protocol';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { RunView } from '../connection/run-view';
import type { Topic } from './model/run-model';
import { useTopics } from './use-session';

export type NameOf = (transport: Transport) => string;

const Names = createContext<NameOf>((transport) => TRANSPORT_NAME[transport]);

const TOPICS: readonly Topic[] = ['record', 'state'];

/** As headings and legends of this run's page call a transport: with the link that carried it, where that is known. */
export const useTransportName = (): NameOf => useContext(Names);

export function TransportNames({ view, children }: { view: RunView; children: ReactNode }) {
  useTopics(view, TOPICS);
  const links = TRANSPORTS.map((transport) => view.model.linkOf(transport) ?? '').join(' ');
  const nameOf = useMemo<NameOf>(
    () => (transport) => transportName(transport, view.model.linkOf(transport)),
    // The names change with the links alone.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [view, links],
  );
  return <Names.Provider value={nameOf}>{children}</Names.Provider>;
}
