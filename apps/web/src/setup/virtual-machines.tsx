'use client';
import { useAgent } from '../connection/store';
import { PathStep } from './path-step';
import { Step } from './step';
import { machinesReached, packagesReached, peerReached, runReached } from './steps';
import type { Looked } from './use-set-up';

/** Two machines with the kernel's SoftRoCE on this host. The commands run in a terminal: a page starts no programs. */
export function VirtualMachines({ looked: { seen } }: { looked: Looked }) {
  const peers = useAgent((s) => s.peers) ?? [];
  const runs = useAgent((s) => s.runs) ?? [];
  const names = seen?.vms.machines.map(({ name }) => name) ?? [];
  const own = peers.filter(({ name }) => names.includes(name));
  const up = own.filter(({ state }) => state === 'up').map(({ name }) => name);
  const [a = 'a', b = 'b'] = names;
  return (
    <ol>
      <Step
        id="vm-packages"
        title="Install QEMU and what the machines need"
        reached={seen ? packagesReached(seen) : null}
      >
        <p className="mt-1 max-w-[72ch] text-ink-2">
          Linux on x86-64. No image is downloaded: the machines use this host’s files, and a kernel of this
          host or of its distribution. Each uses about 450 MiB of memory.
        </p>
      </Step>
      <Step
        id="vm-up"
        title="Start two machines"
        commands={['npx verbslab vms up']}
        reached={seen ? machinesReached(seen) : null}
      >
        <p className="mt-1 max-w-[72ch] text-ink-2">
          The command shows its progress. Each machine gets rxe0 and an agent.
        </p>
      </Step>
      <Step
        id="vm-paired"
        title="Their agents are paired with this one"
        reached={
          own.length > 0
            ? peerReached(own)
            : { state: 'waiting', text: 'They appear once vms up has paired them.' }
        }
      />
      <PathStep id="vm-path" from={a} to={up.length > 1 ? b : null} />
      <Step
        id="vm-run"
        title="Run a lab across both"
        commands={[`npx verbslab run bulk --on server=${a}/rxe0 --on client=${b}/rxe0`]}
        reached={runReached(runs, names)}
      />
      <li className="border-t py-4">
        <p className="text-ink-2">
          To stop the machines and clean up, run <code className="num text-13">npx verbslab vms down</code>.
        </p>
      </li>
    </ol>
  );
}
