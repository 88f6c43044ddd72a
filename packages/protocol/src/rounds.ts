/** Results of repeated measurements: medians, and the spread from the smallest to the largest value. */
import type { LatencyUs } from './percentiles.js';
import type { TransportResult } from './runs.js';

/** CPU seconds per 10^9 bytes of payload. */
export interface CpuPerGB {
  app: number;
  /** Null if hardware does the work, or if it cannot be separated. */
  nic: number | null;
  kernel: number;
  /**
   * Kernel time of the machines outside of every process, if a device in the kernel did its work. Absent if it was not
   * measured, or could not be separated.
   */
  outside?: number | undefined;
}

/** Sum of all known parts, CPU seconds per 10^9 bytes. */
export const cpuPerGBTotal = ({ app, nic, kernel, outside }: CpuPerGB): number =>
  app + (nic ?? 0) + kernel + (outside ?? 0);

/** A measurement of a transport, one of several. */
export interface Round {
  goodputGbps: number;
  messagesPerSecond: number;
  cpuSecondsPerGB: CpuPerGB | null;
  /** Part of each end, all parts but `outside` together. Absent in runs of older agents. */
  cpuOfEnds?: { client: number; server: number } | null | undefined;
  /** Latency of this round alone; null if no message completed. Absent in runs of older agents. */
  latencyUs?: LatencyUs | null | undefined;
  bytes: number;
  messages: number;
  seconds: number;
}

/** Spread from the smallest to the largest of all rounds. With so few rounds, no other measure says more. */
export interface Spread {
  min: number;
  max: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

const spreadOf = (values: readonly number[]): Spread => ({
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Ratio of the fastest to the slowest round above which the rounds of a transport differ widely. */
export const WIDE_SPREAD = 1.5;

/**
 * Text beside figures with rounds that differ widely: the transports, the reason and the cure; null if there are none.
 * `figure`: formats Gb/s like the figures beside it.
 */
export function wideSpreadText(
  transports: readonly { name: string; goodput: Spread | null | undefined }[],
  figure: (gbps: number) => string,
): string | null {
  const wide = transports.flatMap(({ name, goodput }) =>
    goodput && goodput.max > WIDE_SPREAD * goodput.min
      ? [`${name} from ${figure(goodput.min)} to ${figure(goodput.max)} Gb/s`]
      : [],
  );
  if (wide.length === 0) return null;
  return (
    `Rounds differ widely: ${wide.join(', ')} (fastest above ${WIDE_SPREAD}× the slowest). ` +
    'Other programs may have used the CPU. Close them, or measure longer, or in more rounds.'
  );
}

export const overlap = (a: Spread, b: Spread): boolean => a.min <= b.max && b.min <= a.max;

/**
 * Parts of the round with the median sum, or of the mean of the two middle rounds, so that the parts add up to the
 * median.
 */
function medianCpu(all: readonly CpuPerGB[]): CpuPerGB {
  const sorted = [...all].sort((a, b) => cpuPerGBTotal(a) - cpuPerGBTotal(b));
  const half = sorted.length >> 1;
  const one = sorted[half]!;
  if (sorted.length % 2 === 1) return one;
  const other = sorted[half - 1]!;
  const mean = (a: number, b: number): number => (a + b) / 2;
  return {
    app: mean(one.app, other.app),
    nic: one.nic === null || other.nic === null ? null : mean(one.nic, other.nic),
    kernel: mean(one.kernel, other.kernel),
    ...(one.outside === undefined || other.outside === undefined
      ? {}
      : { outside: mean(one.outside, other.outside) }),
  };
}

/** Figures of a transport over one or more rounds. `latencyUs` is that of all rounds. */
export function overRounds(rounds: readonly Round[], latencyUs: LatencyUs | null): TransportResult {
  const cpu = rounds.flatMap(({ cpuSecondsPerGB }) => cpuSecondsPerGB ?? []);
  const sum = (of: (round: Round) => number): number => rounds.reduce((all, round) => all + of(round), 0);
  return {
    goodputGbps: median(rounds.map((round) => round.goodputGbps)),
    messagesPerSecond: median(rounds.map((round) => round.messagesPerSecond)),
    cpuSecondsPerGB: cpu.length > 0 ? medianCpu(cpu) : null,
    latencyUs,
    bytes: sum((round) => round.bytes),
    messages: sum((round) => round.messages),
    seconds: sum((round) => round.seconds),
    rounds: [...rounds],
    spread: {
      goodputGbps: spreadOf(rounds.map((round) => round.goodputGbps)),
      cpuSecondsPerGB: cpu.length > 0 ? spreadOf(cpu.map(cpuPerGBTotal)) : null,
    },
  };
}
