'use client';
import { LOCAL_HOST, type Peer } from '@verbslab/protocol';
import { useAgent } from '../connection/store';
import { AddHost } from '../parts/hosts/add-host';
import { CopyCommand } from '../ui/copy-command';
import { PageLink } from '../ui/page-link';
import { PathStep } from './path-step';
import { Step } from './step';
import { deviceReached, netdevOf, peerReached, runReached, rxePossible } from './steps';
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
  const rxe = !seen || rxePossible(seen.findings);
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
        reached={seen ? deviceReached(devices, seen.findings) : null}
      >
        <p className="mt-1 max-w-[72ch] text-ink-2">
          One device on the network between the machines is enough. A NIC with RoCE needs no command.
        </p>
        {rxe ? (
          <>
            <p className="mt-2 max-w-[72ch] text-ink-2">
              SoftRoCE needs root and the kernel module rdma_rxe:
            </p>
            <div className="mt-1 max-w-[44rem]">
              {device(netdev).map((command) => (
                <CopyCommand key={command} command={command} />
              ))}
            </div>
          </>
        ) : (
          <p className="mt-2 max-w-[72ch] text-ink-2">
            SoftRoCE cannot be added here: the kernel has no module rdma_rxe.
          </p>
        )}
        <p className="mt-2 max-w-[72ch] text-ink-2">
          The embedded device needs no root and no kernel module. Stop the agent and start it with the
          interface to use:
        </p>
        <div className="mt-1 max-w-[44rem]">
          <CopyCommand command={`UROCE_NETDEV=${netdev} npx verbslab up`} />
        </div>
      </Step>
      <Step
        id="other"
        title="Do the same, and let the agent listen"
        where={THERE}
        commands={[
          ...(rxe ? device('eth0') : []),
          `${rxe ? '' : 'UROCE_NETDEV=eth0 '}npx verbslab agent --listen ADDRESS --allow-remote`,
          'npx verbslab peers invite',
        ]}
        reached={seen ? peerReached(peers) : null}
      >
        <p className="mt-1 max-w-[72ch] text-ink-2">
          {rxe
            ? 'With the embedded device, leave out the commands of SoftRoCE and write UROCE_NETDEV=eth0 before the command that starts the agent. '
            : 'If that machine has a NIC with RoCE, or SoftRoCE, leave out UROCE_NETDEV=eth0. '}
          eth0 is the interface of that machine, and ADDRESS its address
          {seen?.addresses[0] ? `, as ${seen.addresses[0]} is the address of this one` : ''}. The agent keeps
          its terminal. In another one, the last command prints a join string. Paste it below.
        </p>
      </Step>
      <li>
        <AddHost told />
      </li>
      <Step
        id="other-device"
        title="The device of the other machine"
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
          {peer ? 'Or open' : 'Open'}{' '}
          <PageLink href="/labs/minimal-flow" className="text-accent underline">
            the first lab
          </PageLink>{' '}
          and choose a device of each machine.
        </p>
      </Step>
    </ol>
  );
}
