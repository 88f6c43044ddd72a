import {
  TRANSPORTS,
  isFinal,
  latencyOver,
  RoundSums,
  type LatencyUs,
  type LoopLatencies,
  type Round,
  type Transport,
  type TransportResult,
} from '@verbslab/protocol';
import { readLatency } from '@verbslab/charts/data';
import type { RunModel } from './run-model';

export interface TransportFigures {
  transport: Transport;
  /** False while they still change. */
  settled: boolean;
  /** True if the run ended early: the figures cover the time until then. */
  partial: boolean;
  goodputGbps: number | null;
  messagesPerSecond: number | null;
  cpu: TransportResult['cpuSecondsPerGB'];
  latency: LatencyUs | null;
  /** Number of rounds that were measured, at least in part. The figures are medians over them. */
  rounds: number;
  /** Number of finished rounds. During the run, the figures cover these, or the first round so far. */
  finished: number;
  /** Rounds in order; empty in runs of older agents. */
  each: readonly Round[];
  /** Spread from the smallest to the largest round; null in runs of older agents. */
  spread: TransportResult['spread'] | null;
}

/** Figures of the result, or, during a run, the same over the samples so far. */
export function figures(model: RunModel): TransportFigures[] {
  const old = kept.get(model);
  // Cached, because several views ask in each update.
  const { series, histogram } = model.version;
  if (old && old.series === series && old.histogram === histogram && old.record === model.record)
    return old.list;
  const list = compute(model);
  kept.set(model, { series, histogram, record: model.record, list });
  return list;
}

const kept = new WeakMap<
  RunModel,
  { series: number; histogram: number; record: RunModel['record']; list: TransportFigures[] }
>();

function compute(model: RunModel): TransportFigures[] {
  const transports = new Set<Transport>();
  for (const s of model.sources.values()) if (s.what === 'loop') transports.add(s.transport);
  const result = model.record.result;
  for (const t of Object.keys(result?.transports ?? {})) transports.add(t as Transport);
  return TRANSPORTS.filter((t) => transports.has(t)).map((t) => {
    const r = result?.transports[t];
    return r ? fromResult(t, r) : soFar(model, t);
  });
}

function fromResult(transport: Transport, r: TransportResult): TransportFigures {
  return {
    transport,
    settled: true,
    partial: r.partial === true,
    goodputGbps: r.goodputGbps,
    messagesPerSecond: r.messagesPerSecond,
    cpu: r.cpuSecondsPerGB,
    latency: r.latencyUs,
    rounds: r.rounds?.length ?? 1,
    finished: r.rounds?.length ?? 1,
    each: r.rounds ?? [],
    spread: r.spread ?? null,
  };
}

/** True if two transports are measured and one of them has no finished round to compare. */
export function tooEarly(list: readonly TransportFigures[], expected: number): boolean {
  if (list.every(({ settled }) => settled)) return false;
  return expected > 1 && (list.length < expected || list.some(({ finished }) => finished === 0));
}

/** Figures over the finished rounds, or over the first one so far, without warm-up. */
function soFar(model: RunModel, transport: Transport): TransportFigures {
  const own = [...model.sources.values()].filter((s) => s.transport === transport && s.what === 'loop');
  const settled = isFinal(model.record.state);
  const ended = new Set(
    own
      .filter(({ role, source }) => role === 'client' && model.series.get(source)?.ended)
      .map(({ round = 1 }) => round),
  );
  const counts = ({ round = 1 }: { round?: number | undefined }): boolean =>
    settled || ended.size === 0 || ended.has(round);
  const sums = new RoundSums();
  const loops: LoopLatencies[] = [];
  for (const source of own.filter(counts)) {
    if (source.role === 'client') {
      const values = readLatency(model, source.source);
      if (values) loops.push({ round: source.round, latencies: values });
    }
    const series = model.series.get(source.source);
    if (!series) continue;
    const { columns, omittedUntil } = series;
    for (let i = 0; i < columns.length; i++) {
      if (columns.at('t', i) <= omittedUntil) continue;
      sums.add(source, {
        bytes: columns.at('bytes', i),
        messages: columns.at('messages', i),
        intervalNs: columns.at('intervalNs', i),
        appNs: columns.at('appNs', i),
        nicNs: columns.at('nicNs', i),
        kernelNs: columns.at('kernelNs', i),
      });
    }
  }
  const result = sums.result(loops);
  const finished = ended.size;
  if (result) return { ...fromResult(transport, result), finished, settled, partial: settled };
  return {
    transport,
    settled,
    partial: settled,
    latency: latencyOver(loops),
    goodputGbps: null,
    messagesPerSecond: null,
    cpu: null,
    rounds: 0,
    finished,
    each: [],
    spread: null,
  };
}
