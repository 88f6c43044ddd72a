'use client';
import { LOCAL_HOST, type Peer } from '@verbslab/protocol';
import { useAgent } from '../connection/store';
import { AddHost } from '../hosts/add-host';
import { PageLink } from '../ui/page-link';
import { PathStep } from './path-step';
import { Step } from './step';
import { deviceReached, netdevOf, peerReached, runReached } from './steps';
import type { Looked } from './use-set-up';

const HERE = 'on this machine';
const THERE = 'on the other machine';

/** From two Linux machines to a lab across both, each step with what the agents see of it. */
export function OwnMachines({ looked: { seen, devices } }: { looked: Looked }) {
  const agent = useAgent((s) => s.agent);
  const peers = useAgent((s) => s.peers) ?? [];
  const runs = useAgent((s) => s.runs) ?? [];
  const peer: Peer | undefined = peers.find(({ state }) => state === 'up') ?? peers[0];
  const netdev = seen ? netdevOf(seen.findings) : 'eth0';
  const device = (name: string): string[] => [
    'sudo modprobe rdma_rxe',
    `sudo rdma link add rxe0 type rxe netdev ${name}`,
  ];
  return (
    <ol>
      <Step
        id="agent"
        title="Start the agent"
        where={HERE}
        commands={['npx verbslab up']}
        reached={agent ? { state: 'done', text: `It runs on ${agent.host}, ${agent.kernel}.` } : null}
      />
      <Step
        id="device"
        title="Add a device that others can reach"
        where={HERE}
        commands={device(netdev)}
        reached={seen ? deviceReached(devices, seen.findings) : null}
      >
        <p className="mt-1 max-w-[72ch] text-ink-2">
          SoftRoCE, on an interface of the network between the machines. A NIC with RoCE needs no such
          command. Without root, start the agent with{' '}
          <code className="num text-13">UROCE_NETDEV={netdev}</code> instead: the embedded device then uses
          that interface.
        </p>
      </Step>
      <Step
        id="other"
        title="Do the same, and let the agent listen"
        where={THERE}
        commands={[
          ...device('eth0'),
          'npx verbslab agent --listen ADDRESS --allow-remote',
          'npx verbslab peers invite',
        ]}
        reached={seen ? peerReached(peers) : null}
      >
        <p className="mt-1 max-w-[72ch] text-ink-2">
          ADDRESS is an address of that machine, such as {seen?.addresses[0] ?? '192.0.2.7'} here. The last
          command prints a join string. Paste it below. Treat it like a password.
        </p>
      </Step>
      <li>
        <AddHost />
      </li>
      <Step
        id="other-device"
        title="Its device"
        where={peer ? `on ${peer.name}` : THERE}
        commands={peer ? ['npx verbslab doctor'] : []}
        reached={peer ? deviceReached(peer.devices) : { state: 'waiting', text: 'Known once it is paired.' }}
      />
      <PathStep id="path" from={LOCAL_HOST} to={peer?.state === 'up' ? peer.name : null} />
      <Step
        id="run"
        title="Run a lab across both"
        commands={
          peer ? [`npx verbslab run minimal-flow --on server=${peer.name} --on client=${LOCAL_HOST}`] : []
        }
        reached={runReached(
          runs,
          peers.map(({ name }) => name),
        )}
      >
        <p className="mt-1 max-w-[72ch] text-ink-2">
          Or open{' '}
          <PageLink href="/labs/minimal-flow" className="text-accent underline">
            the first lab
          </PageLink>{' '}
          and choose a device of each machine.
        </p>
      </Step>
    </ol>
  );
}
