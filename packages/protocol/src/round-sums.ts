/**
 * Figures from the samples of measuring loops, for a run in progress, or one that ended before its lab reported them.
 */
import type { SeriesRecord } from './frames.js';
import { LatencyHistogram, type LatencyUs } from './percentiles.js';
import { overRounds, type Round } from './rounds.js';
import type { TransportResult } from './runs.js';

/** Fields of an interval that count. `nicNs` is NaN if no device reports it. */
export type Sample = Pick<SeriesRecord, 'bytes' | 'messages' | 'intervalNs' | 'appNs' | 'nicNs' | 'kernelNs'>;

/** Latencies of a loop in a round. */
export interface LoopLatencies {
  round?: number | undefined;
  latencies: LatencyHistogram;
}

/** Latency of several loops together; null without any. */
export function latencyOver(loops: readonly LoopLatencies[]): LatencyUs | null {
  const all = new LatencyHistogram();
  for (const { latencies } of loops) all.add(latencies);
  return all.us();
}

interface Sums {
  bytes: number;
  messages: number;
  ns: number;
  app: number;
  nic: number | null;
  kernel: number;
  /** CPU time of each end, all parts together, ns. */
  client: number;
  server: number;
}

/** Sums of the samples of a transport by round. The caller leaves out warm-up. */
export class RoundSums {
  readonly #rounds = new Map<number, Sums>();

  /** Adds a sample. The client's samples give goodput and time, those of both ends give the CPU. */
  add(
    { role, round = 1, transport }: { role: string; round?: number | undefined; transport?: string },
    sample: Sample,
  ): void {
    const none = { bytes: 0, messages: 0, ns: 0, app: 0, nic: null, kernel: 0, client: 0, server: 0 };
    const sum: Sums = this.#rounds.get(round) ?? none;
    this.#rounds.set(round, sum);
    if (role === 'client') {
      sum.bytes += sample.bytes;
      sum.messages += sample.messages;
      sum.ns += sample.intervalNs;
    }
    sum.app += sample.appNs;
    sum.kernel += sample.kernelNs;
    // TCP has no device: its NIC work is zero, not unknown.
    if (transport === 'tcp') sum.nic = 0;
    else if (!Number.isNaN(sample.nicNs)) sum.nic = (sum.nic ?? 0) + sample.nicNs;
    const spent = sample.appNs + sample.kernelNs + (Number.isNaN(sample.nicNs) ? 0 : sample.nicNs);
    sum[role === 'client' ? 'client' : 'server'] += spent;
  }

  /** Figures of the transport; null if the client has no sample. `latencies`: measurements of the client’s loops. */
  result(latencies: readonly LoopLatencies[]): TransportResult | null {
    const rounds = [...this.#rounds]
      .filter(([, { ns }]) => ns > 0)
      .map(([number, sums]) =>
        roundOf(sums, latencyOver(latencies.filter(({ round = 1 }) => round === number))),
      );
    return rounds.length === 0 ? null : overRounds(rounds, latencyOver(latencies));
  }
}

function roundOf(
  { bytes, messages, ns, app, nic, kernel, client, server }: Sums,
  latencyUs: LatencyUs | null,
): Round {
  return {
    goodputGbps: (bytes * 8) / ns,
    messagesPerSecond: (messages * 1e9) / ns,
    // Nanoseconds per byte equal seconds per gigabyte.
    cpuSecondsPerGB:
      bytes > 0 ? { app: app / bytes, nic: nic === null ? null : nic / bytes, kernel: kernel / bytes } : null,
    cpuOfEnds: bytes > 0 ? { client: client / bytes, server: server / bytes } : null,
    latencyUs,
    bytes,
    messages,
    seconds: ns / 1e9,
  };
}
