/** The two machines of the suite, and programs that run in them on either device. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, runIn, type CommandOutcome } from '../../apps/agent/src/vms/exec-client.js';
import { down } from '../../apps/agent/src/vms/down.js';
import { GUEST_PROJECT, vmsFolder, type VmsFolder } from '../../apps/agent/src/vms/paths.js';
import type { Vm, VmsState } from '../../apps/agent/src/vms/state.js';
import { up, type UpOptions } from '../../apps/agent/src/vms/up.js';

/** Jumbo frames, so that every path MTU is possible. */
const MTU = 4500;

export class Machines {
  /** Home of machines that are up already and stay up, for work on the suite. */
  readonly kept = process.env['VERBSLAB_VM_HOME'];
  readonly home = this.kept ?? mkdtempSync(join(tmpdir(), 'verbslab-vm-'));
  readonly folder: VmsFolder = vmsFolder(this.home);
  #state: VmsState | null = null;

  get state(): VmsState {
    if (!this.#state) throw new Error('the machines are not up');
    return this.#state;
  }

  get(name: string): Vm {
    const vm = this.state.vms.find((one) => one.name === name);
    if (!vm) throw new Error(`there is no machine ${name}`);
    return vm;
  }

  /** Starts the machines. Throws VMS_DIFFERENT if machines of another form are up. */
  async up(form: Pick<UpOptions, 'count' | 'cpus' | 'mtu'> = { count: 2, mtu: MTU }): Promise<VmsState> {
    this.#state = await up(this.folder, {
      accel: 'auto',
      timeout: 180,
      signal: new AbortController().signal,
      say: (text) => process.stderr.write(`  ${text}\n`),
      onStep: () => undefined,
      ...form,
    });
    return this.#state;
  }

  async down(): Promise<void> {
    if (this.kept) return;
    await down(this.folder, { cache: false });
    rmSync(this.home, { recursive: true, force: true });
  }
}

export type Device = 'rxe' | 'uroce';

/** An end: a machine, and one of its devices. */
export interface End {
  vm: Vm;
  device: Device;
}

export const addressOf = ({ vm, device }: End): string => (device === 'rxe' ? vm.ipv4 : vm.uroceIpv4);

const LIBRARY = `${GUEST_PROJECT}/native/build/Release/liburoce.so`;

/** Returns the program with the environment in which its verbs use the device. */
export function onDevice(device: Device, words: readonly string[]): string[] {
  if (device === 'rxe') return ['env', 'LC_ALL=C', ...words];
  return ['env', 'LC_ALL=C', 'UROCE_NETDEV=roce0', `LD_PRELOAD=${LIBRARY}`, ...words];
}

/**
 * Returns the program in the network namespace of its device. The embedded one has its own, because rxe uses UDP port
 * 4791.
 */
const placed = (end: End, words: readonly string[]): string[] => beside(end, onDevice(end.device, words));

/** Returns the program in the network namespace of the end, without the device. */
function beside({ device }: End, words: readonly string[]): string[] {
  return device === 'rxe' ? [...words] : ['nsenter', '--net=/run/netns/uroce', ...words];
}

export interface Running {
  finished: Promise<{ code: number | null; output: string }>;
  output: () => string;
  /** Calls `listener` on all output. */
  onOutput: (listener: () => void) => void;
  kill: () => void;
}

/** Starts a program. After `timeout` (ms) it is killed, and `finished` rejects. */
export function start(end: End, words: readonly string[], timeout = 60_000): Running {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`${words.join(' ')} did not end:\n${output}`)),
    timeout,
  );
  let output = '';
  const listeners: (() => void)[] = [];
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  const finished = execute(
    end.vm,
    { command: placed(end, words), env: {}, terminal: null },
    { stdout: take, stderr: take, signal: controller.signal },
  )
    .then(({ code }) => ({ code, output }))
    .finally(() => clearTimeout(timer));
  finished.catch(() => undefined); // callers that await it get the error
  return {
    finished,
    output: () => output,
    onOutput: (listener) => void listeners.push(listener),
    kill: () => controller.abort(new Error('killed')),
  };
}

/** Runs a shell line in the network namespace of the end. */
export function shell(end: End, line: string): Promise<CommandOutcome> {
  return runIn(end.vm, beside(end, ['sh', '-c', line]));
}

/** Resolves when the condition, a shell command in the namespace of the end, succeeds. Rejects after 20 s. */
export async function until(end: End, condition: string, running: Running): Promise<void> {
  const waited = shell(
    end,
    `for i in $(seq 400); do if ${condition}; then exit 0; fi; sleep 0.05; done; exit 1`,
  );
  const ended = running.finished.then(({ code, output }) => {
    throw new Error(`the server ended with ${code} before it was ready:\n${output}`);
  });
  const { code } = await Promise.race([waited, ended]);
  if (code !== 0) throw new Error(`the server was not ready in time (${condition}):\n${running.output()}`);
}

/** Resolves when the program has printed `text`. Rejects if it ends before. */
export async function untilPrinted(running: Running, text: RegExp): Promise<void> {
  const printed = new Promise<void>((resolve) => {
    const look = (): void => void (text.test(running.output()) && resolve());
    running.onOutput(look);
    look();
  });
  const ended = running.finished.then(({ code, output }) => {
    throw new Error(`the server ended with ${code} before it was ready:\n${output}`);
  });
  await Promise.race([printed, ended]);
}

/** Writes a file of this host into a machine. */
export async function put(vm: Vm, data: Buffer, path: string): Promise<void> {
  const { Readable } = await import('node:stream');
  const { code } = await execute(
    vm,
    { command: ['sh', '-c', `cat >${path} && chmod 755 ${path}`], env: {}, terminal: null },
    { stdin: Readable.from([data]), stdout: () => undefined, stderr: () => undefined },
  );
  if (code !== 0) throw new Error(`${path} could not be written in ${vm.name}`);
}

/** Reads a file of a machine. */
export async function get(vm: Vm, path: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  const { code } = await execute(
    vm,
    { command: ['cat', path], env: {}, terminal: null },
    { stdout: (chunk) => parts.push(Buffer.from(chunk)), stderr: () => undefined },
  );
  if (code !== 0) throw new Error(`${path} of ${vm.name} cannot be read`);
  return Buffer.concat(parts);
}
