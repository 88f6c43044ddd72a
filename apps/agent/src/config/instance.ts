import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { AppError, zHealth } from '@verbslab/protocol';
import { z } from 'zod';
import { getJson } from '../base/pinned.js';
import type { Home } from './home.js';
import { lockFile } from './lock.js';
import { storageError } from './storage.js';

/** State file. Only one agent runs per data directory; the file only says where the agent listens. */
const zState = z.object({
  pid: z.int().positive(),
  host: z.string(),
  port: z.int().min(1).max(65_535),
  startedAt: z.number(),
  version: z.string(),
  /** Fingerprint of the agent's certificate: programs compare it before they send the token. */
  fingerprint: z.string(),
  /** The address of the dashboard, without a code. */
  page: z.string(),
  /** Address for other agents, as in the join string. */
  advertised: z.object({ host: z.string(), port: z.int().min(1).max(65_535) }).optional(),
  /** Programs of the workbench are allowed. */
  programs: z.boolean().optional(),
});
export type InstanceState = z.infer<typeof zState>;

export interface InstanceLock {
  /** Publishes where to find this agent. */
  publish(state: InstanceState): void;
  release(): void;
}

/** Takes the lock of a data directory. Returns null if another agent holds it. */
export function takeLock(home: Home): InstanceLock | null {
  const lock = lockFile(home.lock);
  if (!lock) return null;
  return {
    publish(state) {
      const temporary = `${home.state}.${process.pid}`;
      try {
        writeFileSync(temporary, JSON.stringify(state) + '\n', { mode: 0o600 });
        renameSync(temporary, home.state);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw storageError(error, home.path);
      }
    },
    release() {
      rmSync(home.state, { force: true });
      lock.release();
    },
  };
}

/** The content of the state file; null if the file is missing or invalid. */
export function readState(home: Home): InstanceState | null {
  try {
    return zState.parse(JSON.parse(readFileSync(home.state, 'utf8')));
  } catch {
    return null;
  }
}

/** `host:port`, IPv6 in brackets. */
export function hostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** URL for programs: TLS, so that the certificate proves the agent's identity. */
export const programUrl = ({ host, port }: { host: string; port: number }): string =>
  `https://${hostPort(host, port)}`;

/** The address that signs a browser in, once. */
export const linkTo = (page: string, code: string): string => `${page}/?code=${code}`;

/** Finds the agent that runs on this data directory and proves it by its certificate; null if there is none. */
export async function findRunning(home: Home, timeoutMs = 2_000): Promise<InstanceState | null> {
  const state = readState(home);
  if (!state) return null;
  try {
    const health = zHealth.parse(
      await getJson(`${programUrl(state)}/api/health`, state.fingerprint, timeoutMs),
    );
    return health.pid === state.pid ? state : null;
  } catch {
    return null;
  }
}

/** Finds the running agent. Throws AGENT_UNREACHABLE if there is none. */
export async function requireRunning(home: Home): Promise<InstanceState> {
  const state = await findRunning(home);
  if (!state)
    throw new AppError('AGENT_UNREACHABLE', {
      url: home.path,
      detail: 'no agent runs on this data directory',
    });
  return state;
}
