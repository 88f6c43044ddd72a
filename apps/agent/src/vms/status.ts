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
  /** Of rxe0, as the kernel reports it: ACTIVE, DOWN …; null when unknown. */
  rdma: string | null;
  /** What netem does on its link; null when nothing, or when it cannot be asked. */
  netem: string | null;
  /** The end of its console, for one that crashed. */
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
  // It may have ended while it was asked.
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

/** Null when no machine was started. */
export async function status(folder: VmsFolder): Promise<VmsStatus | null> {
  const state = readState(folder);
  if (!state) return null;
  const { vms, version: _, ...rest } = state;
  return { ...rest, vms: await Promise.all(vms.map((vm) => statusOf(folder, vm))) };
}

/** Throws VMS_CRASHED for a machine whose process is gone. */
export function checkAlive(folder: VmsFolder, vm: Vm): Vm {
  if (isAlive(vm)) return vm;
  throw new AppError('VMS_CRASHED', { name: vm.name }, { detail: lastWords(folder, vm.name) });
}
