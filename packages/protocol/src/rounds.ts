/** What repeated measurements say together: medians, and the spread from the smallest to the largest. */
import type { LatencyUs } from './percentiles.js';
import type { TransportResult } from './runs.js';

/** CPU seconds per 10^9 bytes of payload. */
export interface CpuPerGB {
  app: number;
  /** Null when the work is done by hardware or cannot be separated. */
  nic: number | null;
  kernel: number;
  /**
   * What the kernels of the machines spent outside of every process, where a device in the kernel did its work. Absent
   * if it was not measured, or could not be separated.
   */
  outside?: number | undefined;
}

/** All parts that are known, CPU seconds per 10^9 bytes. */
export const cpuPerGBTotal = ({ app, nic, kernel, outside }: CpuPerGB): number =>
  app + (nic ?? 0) + kernel + (outside ?? 0);

/** One of several measurements of a transport. */
export interface Round {
  goodputGbps: number;
  messagesPerSecond: number;
  cpuSecondsPerGB: CpuPerGB | null;
  /** What of it each end spent, all parts but `outside` together. Absent in runs of older agents. */
  cpuOfEnds?: { client: number; server: number } | null | undefined;
  /** Of this round alone; null if no message completed. Absent in runs of older agents. */
  latencyUs?: LatencyUs | null | undefined;
  bytes: number;
  messages: number;
  seconds: number;
}

/** From the smallest to the largest of all rounds. With so few of them no other measure of spread means more. */
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

/** The rounds of a transport differ widely where the fastest is more than this many times as fast as the slowest. */
export const WIDE_SPREAD = 1.5;

/**
 * Said beside figures whose rounds differ widely: which transports, why that happens and what helps; null where none
 * does. `figure`: Gb/s as the figures beside it show them.
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

/** The parts of the round, or of the mean of the two rounds, with the median sum: so that the parts add up to it. */
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

/** The figures of a transport over its rounds, of which there is at least one. `latencyUs` is that of all of them. */
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
