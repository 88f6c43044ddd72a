import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, zHealth, type MachineStep } from '@verbslab/protocol';
import { homeAt } from '../config/home.js';
import { programUrl } from '../config/instance.js';
import { loadIdentity } from '../config/identity.js';
import { getJson } from '../base/pinned.js';
import { runIn } from './exec-client.js';
import { initramfs } from './initramfs.js';
import type { Kernel } from './kernel.js';
import { vmFiles, type VmsFolder } from './paths.js';
import { end, isAlive, startDetached } from './process.js';
import { qemuArguments, qemuProgram } from './qemu.js';
import { shares } from './shares.js';
import type { Vm, VmsState } from './state.js';

const POLL_MS = 100;
const ANSWER_MS = 2_000;
const LAST_LINES = 30;

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'latin1') : '');

/** The last lines of a machine's console and of QEMU's own output, which show the reason for its end. */
export function lastWords(folder: VmsFolder, name: string): string {
  const files = vmFiles(name);
  const lines = [files.log, files.console]
    .flatMap((path) => read(join(folder.path, path)).split('\n'))
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('@verbslab step'));
  // A kernel that panics prints the reason first and its stack after it.
  const panic = lines.findLastIndex((line) => line.includes('Kernel panic'));
  const last = panic < 0 ? lines.slice(-LAST_LINES) : lines.slice(panic, panic + LAST_LINES);
  return last.join('\n');
}

/** Starts QEMU and fills in the process of `vm`. The machine is not up yet. */
export async function launch(folder: VmsFolder, kernel: Kernel, state: VmsState, vm: Vm): Promise<void> {
  const files = vmFiles(vm.name);
  for (const path of [files.console, files.log]) rmSync(join(folder.path, path), { force: true });
  writeFileSync(join(folder.path, files.console), '', { mode: 0o600 });
  const home = join(folder.path, files.identity);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const identity = await loadIdentity(homeAt(home));
  vm.agent.fingerprint = identity.fingerprint;
  writeFileSync(join(folder.path, files.initramfs), initramfs(kernel, state, vm, identity), { mode: 0o600 });
  const args = qemuArguments(state, vm, kernel.image, shares());
  const id = await startDetached(qemuProgram(), args, folder.path, files.log);
  Object.assign(vm, id, { startedAt: Date.now() });
}

async function agentAnswers(vm: Vm): Promise<boolean> {
  try {
    const { address: host, port, fingerprint } = vm.agent;
    const url = `${programUrl({ host, port })}/api/health`;
    return zHealth.safeParse(await getJson(url, fingerprint, ANSWER_MS)).success;
  } catch {
    return false;
  }
}

async function takesCommands(vm: Vm): Promise<boolean> {
  try {
    const { code } = await runIn(vm, ['true'], { signal: AbortSignal.timeout(ANSWER_MS) });
    return code === 0;
  } catch {
    return false;
  }
}

/** True if the machine's agent answers and the machine takes commands. */
export async function isReady(vm: Vm): Promise<boolean> {
  const answers = await Promise.all([agentAnswers(vm), takesCommands(vm)]);
  return answers.every(Boolean);
}

export type VmStep = MachineStep;

/**
 * Follows a machine until it is ready. Throws VMS_BOOT if the machine ends or reports a failure, VMS_SLOW after
 * `patience` (ms), or the signal's reason. After VMS_SLOW or an abort, the machine still runs.
 */
export async function follow(
  folder: VmsFolder,
  vm: Vm,
  options: { patience: number; signal: AbortSignal; onStep: (step: VmStep) => void },
): Promise<void> {
  const { patience, signal, onStep } = options;
  const started = Date.now();
  const console = join(folder.path, vmFiles(vm.name).console);
  let step: VmStep = 'kernel';
  onStep(step);
  for (;;) {
    signal.throwIfAborted();
    const text = read(console);
    const failed = /^@verbslab failed (.*)$/m.exec(text)?.[1]?.trim();
    if (failed !== undefined || !isAlive(vm)) {
      await end(vm);
      const detail = lastWords(folder, vm.name);
      throw new AppError('VMS_BOOT', { name: vm.name, step, detail: failed ?? 'it ended' }, { detail });
    }
    const told = [...text.matchAll(/^@verbslab step (\S+)/gm)].at(-1)?.[1] as VmStep | undefined;
    if (told && told !== step) onStep((step = told));
    if (step === 'agent' && (await isReady(vm))) break;
    if (Date.now() - started > patience) {
      const detail = lastWords(folder, vm.name);
      throw new AppError('VMS_SLOW', { name: vm.name, step, seconds: patience / 1000 }, { detail });
    }
    await pause(POLL_MS, undefined, { signal });
  }
  // The machine has unpacked the file, which holds the tokens.
  rmSync(join(folder.path, vmFiles(vm.name).initramfs), { force: true });
  onStep('ready');
}
