'use client';
import { LOCAL_HOST } from '@verbslab/protocol';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Absent, useAbsent } from '../connection/absent';
import { loadPeers, useAgent } from '../connection/store';
import { Button } from '../ui/button';
import { Empty, Skeleton } from '../ui/states';
import { AddHost } from './add-host';
import { AgentFacts } from './agent-facts';
import { DeviceTable } from './device-table';
import { HostRow } from './host-row';

/** This agent and those that are paired with it: state, devices, clocks, and whether they reach each other. */
export function HostsPage() {
  const peers = useAgent((s) => s.peers);
  const agent = useAgent((s) => s.agent);
  const devices = useAgent((s) => s.devices);
  const connected = useAgent((s) => s.status === 'open');
  const absent = useAbsent();
  const [asking, setAsking] = useState(false);

  async function refresh() {
    setAsking(true);
    await loadPeers(true);
    setAsking(false);
  }

  return (
    <div className="max-w-[72rem]">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-28 font-semibold">Hosts</h1>
        <Button disabled={!connected || asking} onClick={() => void refresh()}>
          <RotateCw size={14} aria-hidden />
          {asking ? 'Refreshing…' : 'Refresh devices'}
        </Button>
      </div>
      <p className="prose mt-2 text-ink-2">
        Labs can put each endpoint on any device of these hosts. This page talks to its own agent only; that
        one talks to the others.
      </p>
      {absent ? (
        <div className="mt-4">
          <Absent what="This host and those that are paired with it are shown here" />
        </div>
      ) : (
        <>
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
              <Skeleton className="mt-3 h-16 w-full max-w-[40rem]" />
            )}
          </section>
          {peers === null ? (
            <div aria-busy className="border-t py-4">
              <Skeleton className="h-5 w-64" />
            </div>
          ) : peers.length === 0 ? (
            <div className="border-t">
              <Empty>
                No other agent is paired. Each one that you add is shown here with its devices, its clock, and
                whether it can be reached over RDMA.
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
