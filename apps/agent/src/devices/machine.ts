import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus, hostname, platform, release } from 'node:os';
import type { AgentMessageOf, System } from '@verbslab/protocol';
import { VERSION } from '../config/version.js';

export type AgentInfo = AgentMessageOf<'welcome'>['agent'];

/** Soft RLIMIT_MEMLOCK in a /proc/PID/limits, bytes; Infinity for no limit, undefined if the line is missing. */
export function memlockIn(limits: string): number | undefined {
  const value = /^Max locked memory\s+(\S+)/m.exec(limits)?.[1];
  return value === 'unlimited' ? Infinity : value === undefined ? undefined : Number(value);
}

/** Soft RLIMIT_MEMLOCK of this process, bytes; null if there is none. */
export function memlockLimit(): number | null {
  try {
    const value = memlockIn(readFileSync('/proc/self/limits', 'utf8'));
    return value === Infinity ? null : (value ?? null);
  } catch {
    return null;
  }
}

/** Describes this agent and its machine. The id is new at every start. */
export function describeAgent(): AgentInfo {
  const list = cpus();
  return {
    id: randomUUID(),
    version: VERSION,
    host: hostname(),
    platform: `${platform()} ${arch()}`,
    cpus: list.length,
    cpuModel: list[0]?.model.trim() ?? 'unknown',
    kernel: release(),
    memlockLimit: memlockLimit(),
  };
}

/** Facts about a machine that results keep. */
export const systemOf = (agent: AgentInfo): System => ({
  hostname: agent.host,
  cpu: agent.cpuModel,
  cpus: agent.cpus,
  kernel: agent.kernel,
  verbslab: agent.version,
});
