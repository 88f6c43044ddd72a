/** The results of a comparison: each transport at each size and depth, and its ratio to TCP. Pure functions. */
import { compare, formatBytes, SHM_NEEDS, statOf, type Stat, type Verdict } from '@verbslab/labs';
import {
  cpuPerGBTotal,
  overRounds,
  transportName,
  wideSpreadText,
  type CpuPerGB,
  type Link,
  type Measurement,
  type Round,
  type RunResult,
  type SweepPlan,
} from '@verbslab/protocol';
import { digits } from '../report.js';
import { pointText, type SweepEnd } from '../sweep-run.js';
import type { Compared } from './plan.js';

/** A ratio of medians. `unclear`: the ranges overlap. `few`: too few rounds for a verdict. */
export interface Versus {
  ratio: number;
  verdict: Verdict;
}

export interface ComparedTransport {
  transport: Compared;
  /** The link that carried the packets, on a device with several. */
  link: Link | null;
  /** Null without a measurement. */
  goodputGbps: Stat | null;
  messagesPerSecond: Stat | null;
  /** Sum of both ends. */
  cpuSecondsPerGB: (Stat & CpuPerGB) | null;
  /** Null for TCP itself, and if one of the two was not measured. */
  versusTcp: { goodput: Versus | null; cpu: Versus | null } | null;
  rounds: Round[];
}

export interface ComparedPoint {
  size: number;
  depth: number;
  signalEvery: number;
  transports: ComparedTransport[];
}

export interface Comparison {
  points: ComparedPoint[];
  /** Runs that the figures cover. */
  runs: number;
  /** Sentences about what failed, was left out, or makes figures doubtful. */
  problems: string[];
  /** True if something failed, other than by cancelling the comparison. */
  failed: boolean;
}

/** Results of the runs of a sweep, by their id. */
export type Results = ReadonlyMap<string, RunResult>;

function versus(own: Stat | null, tcp: Stat | null, among: number): Versus | null {
  if (!own || !tcp || tcp.value === 0) return null;
  return { ratio: own.value / tcp.value, verdict: compare(own, tcp, among) };
}

/**
 * Number of verdicts of a comparison, at least 1: goodput and CPU time of each transport against TCP, at each point.
 */
export const verdictsAmong = (points: number, transports: readonly Compared[]): number =>
  Math.max(1, 2 * points * transports.filter((transport) => transport !== 'tcp').length);

const statOver = (values: readonly number[]): Stat | null => (values.length > 0 ? statOf(values) : null);

function measuredOf(
  transport: Compared,
  results: readonly RunResult[],
): Omit<ComparedTransport, 'versusTcp'> {
  const found = results.flatMap(({ transports }) => transports[transport] ?? []);
  const rounds = found.flatMap((one) => one.rounds ?? []);
  const cpu = rounds.flatMap(({ cpuSecondsPerGB }) => cpuSecondsPerGB ?? []);
  const stat = statOver(cpu.map(cpuPerGBTotal));
  // The parts are those of the median round, so that they add up to its total.
  const parts = rounds.length > 0 ? overRounds(rounds, null).cpuSecondsPerGB : null;
  return {
    transport,
    link: found.find(({ link }) => link)?.link ?? null,
    goodputGbps: statOver(rounds.map(({ goodputGbps }) => goodputGbps)),
    messagesPerSecond: statOver(rounds.map(({ messagesPerSecond }) => messagesPerSecond)),
    cpuSecondsPerGB: stat && parts ? { ...stat, ...parts } : null,
    rounds,
  };
}

function pointOf(
  plan: SweepPlan,
  at: number,
  results: readonly RunResult[],
  wanted: readonly Compared[],
): ComparedPoint {
  const { size, depth, signalEvery } = { ...plan.params, ...plan.points[at] };
  const all = wanted.map((transport) => measuredOf(transport, results));
  const tcp = all.find(({ transport }) => transport === 'tcp');
  const among = verdictsAmong(plan.points.length, wanted);
  return {
    size: Number(size),
    depth: Number(depth),
    signalEvery: Number(signalEvery),
    transports: all.map((own) => ({
      ...own,
      versusTcp:
        own === tcp || !tcp
          ? null
          : {
              goodput: versus(own.goodputGbps, tcp.goodputGbps, among),
              cpu: versus(own.cpuSecondsPerGB, tcp.cpuSecondsPerGB, among),
            },
    })),
  };
}

export function comparisonOf(end: SweepEnd, results: Results, wanted: readonly Compared[]): Comparison {
  const { sweep, measurements, lab } = end;
  const { plan } = sweep;
  const done = measurements.filter(({ state }) => state === 'done');
  const points = plan.points.map((_, at) => {
    const own = done
      .filter(({ point }) => point === at)
      .flatMap(({ runId }) => results.get(runId ?? '') ?? []);
    return pointOf(plan, at, own, wanted);
  });
  const place = (one: Measurement): string => `${pointText(plan, one.point, lab)}, round ${one.round + 1}`;
  const failures = measurements.flatMap((one) => {
    if (one.state === 'done') return failedChecks(place(one), results.get(one.runId ?? ''));
    if (one.state === 'cancelled') return [];
    return [`${place(one)}: ${one.state}. ${one.error?.message ?? ''} ${one.error?.cure ?? ''}`.trim()];
  });
  return {
    points,
    runs: done.length,
    problems: [...failures, ...leftOut(points, done.length), ...wide(points)],
    failed: failures.length > 0,
  };
}

function failedChecks(place: string, result: RunResult | undefined): string[] {
  if (!result) return [`${place}: the run was deleted before it could be read.`];
  return result.checks.flatMap(({ id, ok, detail }) =>
    ok ? [] : [`${place}: the check “${id}” failed. ${detail}`],
  );
}

/** Shared memory, where the ends have none. */
function leftOut(points: readonly ComparedPoint[], runs: number): string[] {
  const shm = points.flatMap(({ transports }) => transports.filter(({ transport }) => transport === 'shm'));
  if (runs === 0 || shm.length === 0 || shm.some(({ rounds }) => rounds.length > 0)) return [];
  return [`${transportName('shm', null)} was left out. ${SHM_NEEDS}`];
}

function wide(points: readonly ComparedPoint[]): string[] {
  const all = points.flatMap(({ size, depth, transports }) =>
    transports.map(({ transport, link, goodputGbps }) => ({
      name: `${transportName(transport, link)} at ${formatBytes(size)}, depth ${depth}`,
      goodput: goodputGbps,
    })),
  );
  const text = wideSpreadText(all, digits);
  return text === null ? [] : [text];
}
