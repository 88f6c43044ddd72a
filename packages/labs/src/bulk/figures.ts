/** From what two loops measured to the figures of a transport. Pure functions. */
import type { CpuPerGB, EndpointLoopResult, LatencyUs, TransportResult } from '@verbslab/protocol';

/** A transport's loop at both ends. */
export interface Measured {
  client: EndpointLoopResult;
  server: EndpointLoopResult;
}

/** CPU seconds of one side or of both, each part. `nic` null where no device tells it apart. */
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

/** CPU seconds per 10^9 bytes; null when nothing was moved. */
export function perGB(cpu: CpuSeconds, bytes: number): CpuPerGB | null {
  if (bytes <= 0) return null;
  const gb = bytes / 1e9;
  return { app: cpu.app / gb, nic: cpu.nic === null ? null : cpu.nic / gb, kernel: cpu.kernel / gb };
}

function latencyUs({ latency }: EndpointLoopResult): LatencyUs | null {
  if (latency.count === 0) return null;
  const us = (ns: number): number => ns / 1000;
  return {
    min: us(latency.minNs),
    p50: us(latency.p50Ns),
    p90: us(latency.p90Ns),
    p99: us(latency.p99Ns),
    p999: us(latency.p999Ns),
    max: us(latency.maxNs),
  };
}

/**
 * Goodput and latency as the client (which drives) measured them; CPU of both ends over the client's bytes.
 *
 * TCP does no NIC work outside the kernel: its `nic` is 0, not unknown.
 */
export function transportResult(measured: Measured, transport: 'rdma' | 'tcp'): TransportResult {
  const { client, server } = measured;
  const seconds = client.elapsedNs * NS;
  const cpu = addCpu(cpuSeconds(client), cpuSeconds(server));
  return {
    goodputGbps: seconds > 0 ? (client.bytes * 8) / 1e9 / seconds : 0,
    messagesPerSecond: seconds > 0 ? client.messages / seconds : 0,
    cpuSecondsPerGB: perGB(transport === 'tcp' ? { ...cpu, nic: 0 } : cpu, client.bytes),
    latencyUs: latencyUs(client),
    bytes: client.bytes,
    messages: client.messages,
    seconds,
  };
}
