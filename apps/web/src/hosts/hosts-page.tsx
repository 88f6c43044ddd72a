'use client';
import { LOCAL_HOST } from '@verbslab/protocol';
import { RotateCw } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { ActionButton } from '../actions/action-button';
import { usePageHandle } from '../actions/page-store';
import { Absent, useAbsent } from '../connection/absent';
import { NotLoaded, useNotLoaded } from '../connection/not-loaded';
import { loadPeers, useAgent } from '../connection/store';
import { PageLink } from '../ui/page-link';
import { Empty, Skeleton } from '../ui/states';
import { AddHost } from '../parts/hosts/add-host';
import { AgentFacts } from './agent-facts';
import { DeviceTable } from './device-table';
import { HostRow } from './host-row';
import { HostsAndLinks } from './links/hosts-and-links';

/** This agent and the agents paired with it: state, devices, clocks, and whether they reach each other. */
export function HostsPage() {
  const peers = useAgent((s) => s.peers);
  const agent = useAgent((s) => s.agent);
  const devices = useAgent((s) => s.devices);
  const connected = useAgent((s) => s.status === 'open');
  const absent = useAbsent();
  const failed = useNotLoaded('peers');
  const [asking, setAsking] = useState(false);

  const refresh = useCallback(async () => {
    setAsking(true);
    await loadPeers(true);
    setAsking(false);
  }, []);
  usePageHandle(
    useMemo(
      () => (connected && !asking ? { 'refresh-devices': () => void refresh() } : {}),
      [connected, asking, refresh],
    ),
  );

  return (
    <div className="max-w-[72rem]">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-28 font-semibold">Hosts</h1>
        <ActionButton action="refresh-devices" icon={RotateCw} busy={asking ? 'Refreshing…' : undefined} />
      </div>
      <p className="prose mt-2 text-ink-2">
        A lab can put each of its endpoints on any device of these hosts. If there are several devices, you
        choose on the lab’s page. Your browser talks only to the agent on this host, which talks to the agents
        on the others.{' '}
        <PageLink href="/set-up" className="text-accent underline">
          Set up two machines
        </PageLink>{' '}
        shows each step.
      </p>
      {absent ? (
        <div className="mt-4">
          <Absent what="This host and the hosts paired with it appear here" />
        </div>
      ) : (
        <>
          <div className="mt-6">
            <HostsAndLinks />
          </div>
          <section aria-labelledby="local" className="mt-6 border-t py-4">
            <h2 id="local" className="text-16 font-medium">
              <span className="num">{LOCAL_HOST}</span> <span className="text-ink-3">this agent</span>
            </h2>
            {agent ? (
              <>
                <AgentFacts agent={agent} />
                <DeviceTable host={LOCAL_HOST} devices={devices} />
              </>
            ) : (
              <LocalSkeleton />
            )}
          </section>
          <NotLoaded what="peers" className="my-4" />
          {peers === null && failed ? null : peers === null ? (
            <div aria-busy className="border-t py-4">
              <Skeleton className="h-5 w-64" />
            </div>
          ) : peers.length === 0 ? (
            <div className="border-t">
              <Empty>
                No other agent is paired yet. Each host that you add appears here with its devices and clock
                offset, and you can check whether it is reachable over RDMA.
              </Empty>
            </div>
          ) : (
            peers.map((peer) => <HostRow key={peer.name} peer={peer} />)
          )}
          <AddHost />
        </>
      )}
    </div>
  );
}

/** Skeleton with as many lines as the facts of this host, and a device with its GID. */
function LocalSkeleton() {
  return (
    <div aria-busy className="mt-2">
      {['w-40', 'w-56', 'w-48', 'w-44', 'w-36'].map((width) => (
        <div key={width} className="flex h-5 items-center">
          <Skeleton className={`h-3 ${width}`} />
        </div>
      ))}
      <Skeleton className="mt-4 h-4 w-full max-w-[36rem]" />
      <Skeleton className="mt-2 h-3 w-64" />
    </div>
  );
}
