'use client';
import type { MachinesWork } from '@verbslab/protocol';
import { useAgent } from '../connection/store';
import { CopyCommand } from '../ui/copy-command';
import { MachinesControl } from './machines-control';
import { PathStep } from './path-step';
import { Step } from './step';
import { machinesReached, packagesReached, peerReached, runReached } from './steps';
import type { MachinesAsked } from './use-machines';
import type { Looked } from './use-set-up';

/** Two machines with the kernel's SoftRoCE on this host, started by the agent or by a command. */
export function VirtualMachines({
  looked: { seen },
  machines,
}: {
  looked: Looked;
  machines: MachinesAsked & { work: MachinesWork | null };
}) {
  const peers = useAgent((s) => s.peers) ?? [];
  const runs = useAgent((s) => s.runs) ?? [];
  const names = seen?.vms.machines.map(({ name }) => name) ?? [];
  const own = peers.filter(({ name }) => names.includes(name));
  const up = own.filter(({ state }) => state === 'up').map(({ name }) => name);
  const whole =
    seen !== null && machinesReached(seen).state === 'done' && names.every((name) => up.includes(name));
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
      <Step id="vm-up" title="Start two machines" reached={seen ? machinesReached(seen) : null}>
        {seen ? <MachinesControl vms={seen.vms} whole={whole} machines={machines} /> : null}
        {whole || machines.work?.state === 'working' ? null : (
          <>
            <p className="mt-2 text-ink-2">Or in a terminal:</p>
            <div className="mt-1 max-w-[44rem]">
              <CopyCommand command="npx verbslab vms up" />
            </div>
          </>
        )}
      </Step>
      <Step
        id="vm-paired"
        title="Their agents are paired with this one"
        reached={
          own.length > 0
            ? peerReached(own)
            : { state: 'waiting', text: 'They appear once the start has paired them.' }
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
          The machines run until you stop them, also without the agent. In a terminal,{' '}
          <code className="num text-13">npx verbslab vms down</code> stops them.
        </p>
      </li>
    </ol>
  );
}
