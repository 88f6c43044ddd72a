import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus, hostname, platform, release } from 'node:os';
import type { AgentMessageOf } from '@verbslab/protocol';
import { VERSION } from '../config/version.js';

export type AgentInfo = AgentMessageOf<'welcome'>['agent'];

/** Soft RLIMIT_MEMLOCK in bytes; null when there is none. */
export function memlockLimit(): number | null {
  try {
    const line = /^Max locked memory\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return line?.[1] === undefined || line[1] === 'unlimited' ? null : Number(line[1]);
  } catch {
    return null;
  }
}

/** Who this agent is: new with every start. */
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
