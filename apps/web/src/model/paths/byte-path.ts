/** The paths that the same bytes took between two memories, one for each transport of a run. */
import {
  cpuPerGBTotal,
  type CpuPerGB,
  type Link,
  type ProviderClass,
  type Spread,
  type Transport,
} from '@verbslab/protocol';

/**
 * Parts of the hosts that carry the bytes. `rings`: device, shared memory, device; `sockets`: device, UDP sockets of the kernel,
 * device; `driver`: a device in the kernel; `nic`: a device of hardware; `device`: a device that did not report its path; `tcp`: the
 * kernel alone.
 */
export const WAYS = ['rings', 'nic', 'device', 'sockets', 'driver', 'tcp'] as const;
export type Way = (typeof WAYS)[number];

export interface BytePath {
  transport: Transport;
  name: string;
  way: Way;
  /** Null until something was measured. */
  goodputGbps: number | null;
  spread: Spread | null;
  /** Number of rounds behind the figures. */
  rounds: number;
  /** CPU time of both ends. */
  cpu: CpuPerGB | null;
  /** The bytes move now. */
  moving: boolean;
}

export interface BytePaths {
  /** In the order in which they are drawn, from the top. */
  paths: readonly BytePath[];
  /** End that the bytes leave from. */
  from: 'client' | 'server';
  /** Null if the places of the ends are not known. */
  oneMachine: boolean | null;
}

/** Null for a transport that the picture has no path for. */
export function wayOf(
  transport: Transport,
  link: Link | undefined,
  provider: ProviderClass | null,
): Way | null {
  if (transport === 'tcp') return 'tcp';
  if (transport === 'udp') return null;
  if (link === 'shm' || transport === 'shm') return 'rings';
  if (link === 'udp') return 'sockets';
  if (provider === 'hardware') return 'nic';
  return provider === 'kernel' ? 'driver' : 'device';
}

/** Owners of CPU time in a host. */
export type Owner = 'app' | 'nic' | 'kernel';

/** Share of an owner in the CPU time of both ends; null if it is not known. */
export function shareOf(owner: Owner, cpu: CpuPerGB | null): number | null {
  const total = cpu === null ? 0 : cpuPerGBTotal(cpu);
  if (cpu === null || total === 0) return null;
  const part = owner === 'kernel' ? cpu.kernel + (cpu.outside ?? 0) : cpu[owner];
  return part === null ? null : part / total;
}
