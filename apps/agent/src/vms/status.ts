import { AppError } from '@verbslab/protocol';
import { isReady, lastWords } from './boot.js';
import { runIn } from './exec-client.js';
import type { VmsFolder } from './paths.js';
import { isAlive } from './process.js';
import { readState, type Vm, type VmsState } from './state.js';

/** `silent`: QEMU runs, but the agent or the command channel does not answer (starting, or hung). */
export type Condition = 'ready' | 'silent' | 'crashed';

export interface VmStatus extends Vm {
  condition: Condition;
  /** State of rxe0's port from the kernel: ACTIVE, DOWN …; null if unknown. */
  rdma: string | null;
  /** Settings of netem on the link; null without any, or if the machine does not answer. */
  netem: string | null;
  /** Last lines of the console of a crashed machine. */
  lastWords: string | null;
}

export interface VmsStatus extends Omit<VmsState, 'vms' | 'version'> {
  vms: VmStatus[];
}

const ASK = 'cat /sys/class/infiniband/rxe0/ports/1/state; tc qdisc show dev eth0';

async function statusOf(folder: VmsFolder, vm: Vm): Promise<VmStatus> {
  const unknown = { rdma: null, netem: null, lastWords: null };
  if (!isAlive(vm)) return { ...vm, ...unknown, condition: 'crashed', lastWords: lastWords(folder, vm.name) };
  const asked = (await isReady(vm))
    ? await runIn(vm, ['sh', '-c', ASK], { signal: AbortSignal.timeout(10_000) }).catch(() => null)
    : null;
  // The machine may have ended meanwhile.
  if (!asked && !isAlive(vm)) return statusOf(folder, vm);
  if (!asked) return { ...vm, ...unknown, condition: 'silent' };
  const { stdout } = asked;
  return {
    ...vm,
    ...unknown,
    condition: 'ready',
    rdma: /^\d+: (\w+)/m.exec(stdout)?.[1] ?? null,
    netem: /^qdisc netem \S+ root \S+ \S+ (?:limit \d+ ?)?(.*)$/m.exec(stdout)?.[1]?.trim() ?? null,
  };
}

/** State of all machines. Null if none was started. */
export async function status(folder: VmsFolder): Promise<VmsStatus | null> {
  const state = readState(folder);
  if (!state) return null;
  const { vms, version: _, ...rest } = state;
  return { ...rest, vms: await Promise.all(vms.map((vm) => statusOf(folder, vm))) };
}

/** Returns the machine. Throws VMS_CRASHED if its process is gone. */
export function checkAlive(folder: VmsFolder, vm: Vm): Vm {
  if (isAlive(vm)) return vm;
  throw new AppError('VMS_CRASHED', { name: vm.name }, { detail: lastWords(folder, vm.name) });
}
