import { isFinal, RoundSums, type LatencyUs, type Transport, type TransportResult } from '@verbslab/protocol';
import { latencies } from './latency-sums';
import type { RunModel } from './run-model';

export interface TransportFigures {
  transport: Transport;
  /** False while they still change. */
  settled: boolean;
  /** The run ended early: they cover the time until then. */
  partial: boolean;
  goodputGbps: number | null;
  messagesPerSecond: number | null;
  cpu: TransportResult['cpuSecondsPerGB'];
  latency: LatencyUs | null;
  /** How many rounds were measured, at least in part. The figures are medians over them. */
  rounds: number;
  /** From the smallest to the largest round; null in runs of older agents. */
  spread: TransportResult['spread'] | null;
}

/** The result's figures, or, while a run goes on, the same over the samples so far. */
export function figures(model: RunModel): TransportFigures[] {
  const old = kept.get(model);
  // Several views ask in one round.
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
  return (['rdma', 'tcp', 'udp'] as const)
    .filter((t) => transports.has(t))
    .map((t) => {
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
    spread: r.spread ?? null,
  };
}

/** The samples so far, warm-up left out. */
function soFar(model: RunModel, transport: Transport): TransportFigures {
  const sums = new RoundSums();
  for (const [id, { columns, omittedUntil }] of model.series) {
    const source = model.sources.get(id);
    if (source?.transport !== transport) continue;
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
  const latency = latencies(model).get(transport)?.us() ?? null;
  const result = sums.result(latency);
  const settled = isFinal(model.record.state);
  if (result) return { ...fromResult(transport, result), settled, partial: settled };
  return {
    transport,
    settled,
    partial: settled,
    latency,
    goodputGbps: null,
    messagesPerSecond: null,
    cpu: null,
    rounds: 0,
    spread: null,
  };
}
