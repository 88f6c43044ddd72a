/** From what two loops measured to the figures of a transport. Pure functions. */
import {
  LatencyHistogram,
  overRounds,
  type CpuPerGB,
  type EndpointLoopResult,
  type Link,
  type Round,
  type TransportResult,
} from '@verbslab/protocol';
import type { BulkTransport } from './plan.js';

export const ROLES = ['client', 'server'] as const;

/** A transport's loop at both ends. */
export interface Measured {
  client: EndpointLoopResult;
  server: EndpointLoopResult;
}

/** CPU seconds that were charged to one side or to both, each part. `nic` is null if no device separates it. */
export interface CpuSeconds {
  app: number;
  nic: number | null;
  kernel: number;
}

const NS = 1e-9;

export function cpuSeconds({ cpu }: EndpointLoopResult): CpuSeconds {
  return { app: cpu.appNs * NS, nic: cpu.nicNs === null ? null : cpu.nicNs * NS, kernel: cpu.kernelNs * NS };
}

export function addCpu(a: CpuSeconds, b: CpuSeconds): CpuSeconds {
  return {
    app: a.app + b.app,
    nic: a.nic === null && b.nic === null ? null : (a.nic ?? 0) + (b.nic ?? 0),
    kernel: a.kernel + b.kernel,
  };
}

export const totalCpu = ({ app, nic, kernel }: CpuSeconds): number => app + (nic ?? 0) + kernel;

/**
 * Seconds that the kernels of both ends' machines spent outside of every process, each machine once; null where no end
 * measured it. Both ends of one machine saw the same: the longer look counts.
 */
export function outsideSeconds(loops: readonly EndpointLoopResult[]): number | null {
  const machines = new Map<string, number>();
  for (const { cpu } of loops)
    if (cpu.outside)
      machines.set(cpu.outside.machine, Math.max(machines.get(cpu.outside.machine) ?? 0, cpu.outside.ns));
  if (machines.size === 0) return null;
  return [...machines.values()].reduce((sum, ns) => sum + ns, 0) * NS;
}

/** CPU seconds per 10^9 bytes; null when nothing was moved. */
export function perGB(cpu: CpuSeconds, bytes: number, outside: number | null = null): CpuPerGB | null {
  if (bytes <= 0) return null;
  const gb = bytes / 1e9;
  return {
    app: cpu.app / gb,
    nic: cpu.nic === null ? null : cpu.nic / gb,
    kernel: cpu.kernel / gb,
    ...(outside === null ? {} : { outside: outside / gb }),
  };
}

/** CPU seconds of one end per 10^9 bytes, all parts together. */
const costOf = (end: EndpointLoopResult, bytes: number): number => totalCpu(cpuSeconds(end)) / (bytes / 1e9);

/** CPU cores that the client of a transport kept busy while it was measured, over all rounds. */
export function clientCores(rounds: readonly Measured[]): number | null {
  const ns = rounds.reduce((sum, { client }) => sum + client.elapsedNs, 0);
  if (ns === 0) return null;
  return rounds.reduce((sum, { client }) => sum + totalCpu(cpuSeconds(client)), 0) / (ns * NS);
}

const latenciesOf = ({ latency }: EndpointLoopResult): LatencyHistogram =>
  LatencyHistogram.of(latency.distribution ?? []);

/** One round of a transport: goodput as the client (which drives) measured it; CPU of both ends over the client's bytes. */
function roundOf({ client, server }: Measured, transport: BulkTransport, together: boolean): Round {
  const seconds = client.elapsedNs * NS;
  const cpu = addCpu(cpuSeconds(client), cpuSeconds(server));
  const outside = together ? null : outsideSeconds([client, server]);
  return {
    goodputGbps: seconds > 0 ? (client.bytes * 8) / 1e9 / seconds : 0,
    messagesPerSecond: seconds > 0 ? client.messages / seconds : 0,
    cpuSecondsPerGB: perGB(transport === 'tcp' ? { ...cpu, nic: 0 } : cpu, client.bytes, outside),
    cpuOfEnds:
      client.bytes > 0
        ? { client: costOf(client, client.bytes), server: costOf(server, client.bytes) }
        : null,
    latencyUs: latenciesOf(client).us(),
    bytes: client.bytes,
    messages: client.messages,
    seconds,
  };
}

/**
 * The figures of a transport over its rounds: medians and spreads, and the latencies of all rounds together.
 *
 * TCP does no NIC work outside the kernel: its `nic` is 0, not unknown.
 *
 * `together`: another transport ran at the same time, so what the kernel did outside of every process cannot be attributed.
 *
 * `link`: what carried its packets, where the device has more than one.
 */
export function transportResult(
  rounds: readonly Measured[],
  transport: BulkTransport,
  together = false,
  link?: Link | null,
): TransportResult {
  const latency = new LatencyHistogram();
  for (const { client } of rounds) latency.add(latenciesOf(client));
  return {
    ...(link ? { link } : {}),
    ...overRounds(
      rounds.map((one) => roundOf(one, transport, together)),
      latency.us(),
    ),
  };
}
