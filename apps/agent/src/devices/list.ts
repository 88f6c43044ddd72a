import { execFile, type ExecFileException } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  AppError,
  issueText,
  parseJson,
  toErrorInfo,
  zDeviceInfo,
  type DeviceInfo,
} from '@verbslab/protocol';
import { answers, type Subsystem } from '../base/subsystem.js';
import { z } from 'zod';
import { childProgram } from '../config/agent-folder.js';
import { processEnd, startFailure, type ProcessEnd } from '../base/process-end.js';
import { embeddedNetns, nodeIn } from './netns.js';

const TIMEOUT_MS = 15_000;
/** Largest age of a cached answer, ms. */
const FRESH_MS = 5_000;

const zAnswer = z.object({
  devices: z.array(zDeviceInfo),
  /** Verbs libraries that cannot be used, and why. */
  problems: z.array(
    z.object({ provider: z.enum(['embedded', 'system']), message: z.string(), cure: z.string() }),
  ),
});
export type Devices = z.infer<typeof zAnswer>;

/**
 * Asks a child process for the devices of this machine, in the embedded device's network namespace, if it has one, and
 * another for those of the kernel where they do not show there. Rejects with NO_DEVICE_LIST when that is unknown.
 */
export async function queryDevices(): Promise<Devices> {
  const netns = embeddedNetns();
  if (netns === undefined) return ask(undefined, []);
  if (rdmaIsShared()) {
    try {
      return await ask(netns, []);
    } catch (error) {
      if (toErrorInfo(error).code !== 'NETNS') throw error;
    }
  }
  const embedded = ask(netns, ['embedded']).catch((error: unknown): Devices => {
    const { message, cure } = toErrorInfo(error);
    return { devices: [], problems: [{ provider: 'embedded', message, cure }] };
  });
  const answers = await Promise.all([embedded, ask(undefined, ['system'])]);
  return {
    devices: answers.flatMap(({ devices }) => devices),
    problems: answers.flatMap(({ problems }) => problems),
  };
}

/** True if every network namespace has all kernel devices, which is the default: rdma-system(8). */
function rdmaIsShared(): boolean {
  try {
    return readFileSync('/sys/module/ib_core/parameters/netns_mode', 'utf8').trim() === 'Y';
  } catch {
    return false;
  }
}

async function ask(netns: string | undefined, args: readonly string[]): Promise<Devices> {
  const { execArgv, path } = childProgram('devices/child');
  const [command, words] = nodeIn(netns, [...execArgv, path, ...args]);
  const { error, out, err } = await new Promise<{
    error: ExecFileException | null;
    out: string;
    err: string;
  }>(
    (resolve) =>
      void execFile(command, words, { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' }, (error, out, err) =>
        resolve({ error, out, err }),
      ),
  );
  const refused = /^nsenter: (.*)$/m.exec(err)?.[1];
  if (error && netns !== undefined && refused !== undefined)
    throw new AppError('NETNS', { netns, detail: refused }, { detail: err, cause: error });
  if (error) throw new AppError('NO_DEVICE_LIST', { ...end(error, err) }, { detail: err, cause: error });
  try {
    return zAnswer.parse(parseJson(out));
  } catch (cause) {
    const how = cause instanceof z.ZodError ? issueText(cause) : (cause as Error).message.replace(/\.$/, '');
    const hint = 'Build Verbs Lab again with `npm run build`.';
    throw new AppError('NO_DEVICE_LIST', { how: `its answer is unreadable (${how})`, hint }, { cause });
  }
}

/** Explains the end of the process. For an uncaught error, this is the line of its stack trace that names it. */
function end(error: ExecFileException, stderr: string): ProcessEnd {
  const rebuild = 'Build Verbs Lab again with `npm run build`.';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return { how: 'its answer is too long', hint: rebuild };
  if (error.killed)
    return {
      how: `the devices did not answer within ${TIMEOUT_MS / 1000} s`,
      hint: 'Try again; the machine may be overloaded. `verbslab doctor` looks for other reasons.',
    };
  if (typeof error.code === 'string') return startFailure(error.code);
  const ended = processEnd(error.code ?? null, error.signal ?? null);
  const line = stderr.split('\n').find((text) => /^\w*Error\b/.test(text));
  return error.signal || line === undefined ? ended : { how: line, hint: rebuild };
}

/** The devices, kept for a moment so that a page opens without waiting for them. */
export class DeviceList implements Subsystem {
  readonly messages = answers({
    'devices.list': async () => ({ devices: await this.get(true) }),
  });
  readonly #query: () => Promise<Devices>;
  #answer: Promise<Devices> | null = null;
  #pending = false;
  #answeredAt = 0;
  /** While true, devices are not queried: opening one would disturb a measurement. */
  quiet: () => boolean = () => false;

  constructor(query: () => Promise<Devices> = queryDevices) {
    this.#query = query;
  }

  #ask(maxAgeMs: number): Promise<Devices> {
    const fresh = this.#pending || this.quiet() || Date.now() - this.#answeredAt <= maxAgeMs;
    if (this.#answer && fresh) return this.#answer;
    this.#pending = true;
    const answer = this.#query();
    this.#answer = answer;
    answer.then(
      () => {
        this.#pending = false;
        this.#answeredAt = Date.now();
      },
      () => {
        this.#pending = false;
        this.#answer = null;
      },
    );
    return answer;
  }

  async #get(maxAgeMs: number): Promise<DeviceInfo[]> {
    try {
      return (await this.#ask(maxAgeMs)).devices;
    } catch {
      return [];
    }
  }

  /** Returns the devices, possibly none. `fresh` queries them again. */
  get(fresh = false): Promise<DeviceInfo[]> {
    return this.#get(fresh ? 0 : FRESH_MS);
  }

  /** Path of the network namespace that endpoints on a device start in; undefined: the agent's own. */
  async netnsOf(device: string): Promise<string | undefined> {
    const netns = embeddedNetns();
    if (netns === undefined) return undefined;
    const known = (devices: DeviceInfo[]) => devices.find(({ name }) => name === device);
    // An old answer does for a known name, since a name keeps its provider: a query takes seconds on a slow machine.
    const found = known(await this.#get(Infinity)) ?? known(await this.get());
    return found?.provider === 'embedded' ? netns : undefined;
  }

  /** Returns the devices like `get`, but rejects with NO_DEVICE or NO_DEVICE_LIST and the reason if there is none. */
  async need(): Promise<DeviceInfo[]> {
    const { devices, problems } = await this.#ask(FRESH_MS);
    if (devices.length === 0) {
      const detail = problems.map(({ message }) => message).join(' ') || 'none was found.';
      throw new AppError('NO_DEVICE', { detail });
    }
    return devices;
  }
}
