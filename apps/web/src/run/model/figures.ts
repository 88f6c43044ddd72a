import {
  isFinal,
  overRounds,
  type LatencyUs,
  type Transport,
  type TransportResult,
} from '@verbslab/protocol';
import { latencies } from './latency-sums';
import type { RunModel } from './run-model';

export interface TransportFigures {
  transport: Transport;
  /** False while they still change. */
  settled: boolean;
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
    goodputGbps: r.goodputGbps,
    messagesPerSecond: r.messagesPerSecond,
    cpu: r.cpuSecondsPerGB,
    latency: r.latencyUs,
    rounds: r.rounds?.length ?? 1,
    spread: r.spread ?? null,
  };
}

interface Sums {
  bytes: number;
  messages: number;
  ns: number;
  app: number;
  nic: number;
  nicKnown: boolean;
  kernel: number;
}

/** The samples of each round so far, warm-up left out. */
function sumRounds(model: RunModel, transport: Transport): Sums[] {
  const rounds = new Map<number, Sums>();
  for (const [id, s] of model.series) {
    const source = model.sources.get(id);
    if (source?.transport !== transport) continue;
    const round = source.round ?? 1;
    const none = { bytes: 0, messages: 0, ns: 0, app: 0, nic: 0, nicKnown: false, kernel: 0 };
    const sum: Sums = rounds.get(round) ?? none;
    rounds.set(round, sum);
    for (let i = 0; i < s.columns.length; i++) {
      if (s.columns.at('t', i) <= s.omittedUntil) continue;
      if (source.role === 'client') {
        sum.bytes += s.columns.at('bytes', i);
        sum.messages += s.columns.at('messages', i);
        sum.ns += s.columns.at('intervalNs', i);
      }
      sum.app += s.columns.at('appNs', i);
      sum.kernel += s.columns.at('kernelNs', i);
      const n = s.columns.at('nicNs', i);
      if (!Number.isNaN(n)) {
        sum.nic += n;
        sum.nicKnown = true;
      }
    }
  }
  return [...rounds.values()];
}

function soFar(model: RunModel, transport: Transport): TransportFigures {
  const rounds = sumRounds(model, transport).filter(({ ns }) => ns > 0);
  const latency = latencies(model).get(transport)?.us() ?? null;
  const settled = isFinal(model.record.state);
  if (rounds.length === 0)
    return {
      transport,
      settled,
      latency,
      goodputGbps: null,
      messagesPerSecond: null,
      cpu: null,
      rounds: 0,
      spread: null,
    };
  const all = rounds.map(({ bytes, messages, ns, app, nic, nicKnown, kernel }) => ({
    goodputGbps: (bytes * 8) / ns,
    messagesPerSecond: (messages * 1e9) / ns,
    // Nanoseconds per byte are seconds per gigabyte.
    cpuSecondsPerGB:
      bytes > 0 ? { app: app / bytes, nic: nicKnown ? nic / bytes : null, kernel: kernel / bytes } : null,
    bytes,
    messages,
    seconds: ns / 1e9,
  }));
  return { ...fromResult(transport, overRounds(all, latency)), settled };
}
