import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { AppError } from '@verbslab/protocol';
import { z } from 'zod';
import type { VmsFolder } from './paths.js';

const zPort = z.int().min(1).max(65_535);

/** A port in a machine that this host can reach, with its token. */
const zDoor = z.object({ address: z.string(), port: zPort, token: z.string() });
export type Door = z.infer<typeof zDoor>;

/** The port of an agent, which uses TLS and is known by the SHA-256 of its certificate. */
const zAgentDoor = zDoor.extend({ fingerprint: z.string() });

export const zVm = z.object({
  name: z.string(),
  index: z.int().min(0),
  /**
   * Process id of QEMU; valid with its start time (clock ticks since boot), since ids are reused. 0: not started yet.
   */
  pid: z.int().min(0),
  startTime: z.string(),
  startedAt: z.number(),
  /** Address of the machine's agent, and the secret of its join string: an agent on the host needs both to join it. */
  agent: zAgentDoor,
  /** The command channel of `vms ssh`. */
  exec: zDoor,
  mac: z.string(),
  ipv4: z.string(),
  uroceIpv4: z.string(),
});
export type Vm = z.infer<typeof zVm>;

const zState = z.object({
  version: z.literal(1),
  accel: z.enum(['kvm', 'tcg']),
  kernel: z.string(),
  cpus: z.int().min(1),
  memory: z.int().min(1),
  mtu: z.int().min(1),
  vms: z.array(zVm),
});
export type VmsState = z.infer<typeof zState>;

/** Reads the state file. Null if no machine was ever started. Throws VMS_STATE for an invalid file. */
export function readState(folder: VmsFolder): VmsState | null {
  let text: string;
  try {
    text = readFileSync(folder.state, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new AppError('VMS_STATE', { path: folder.state, detail: (error as Error).message });
  }
  try {
    return zState.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError(
      'VMS_STATE',
      { path: folder.state, detail: 'it is not a state file' },
      { cause: error },
    );
  }
}

/** True if the agent at this address is the machine's. */
export const isAgentOf = ({ agent }: Vm, { host, port }: { host: string; port: number }): boolean =>
  host === agent.address && port === agent.port;

/** The machine of this host with the agent at this address. Throws VMS_STATE. */
export const vmAt = (folder: VmsFolder, address: { host: string; port: number }): Vm | undefined =>
  readState(folder)?.vms.find((one) => isAgentOf(one, address));

export function writeState(folder: VmsFolder, state: VmsState): void {
  mkdirSync(folder.path, { recursive: true, mode: 0o700 });
  chmodSync(folder.path, 0o700);
  const temporary = `${folder.state}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, folder.state);
}

/** Removes everything that the machines left, except for the cached kernel. */
export function removeState(folder: VmsFolder): void {
  rmSync(folder.path, { recursive: true, force: true });
}

/** The machine of this name. Throws VMS_NONE or VMS_UNKNOWN. */
export function findVm(state: VmsState | null, name: string): Vm {
  const known = state?.vms ?? [];
  const vm = known.find((one) => one.name === name);
  if (vm) return vm;
  if (known.length === 0) throw new AppError('VMS_NONE');
  throw new AppError('VMS_UNKNOWN', { name, known: known.map((one) => one.name).join(', ') });
}
