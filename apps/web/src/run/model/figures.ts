import { isFinal, type LatencyUs, type Transport, type TransportResult } from '@verbslab/protocol';
import type { RunModel } from './run-model';

export interface TransportFigures {
  transport: Transport;
  /** False while they still change. */
  settled: boolean;
  goodputGbps: number | null;
  messagesPerSecond: number | null;
  cpu: TransportResult['cpuSecondsPerGB'];
  latency: LatencyUs | null;
}

/** The result's figures, or, while a run goes on, the same sums over the samples so far (start-up left out). */
export function figures(model: RunModel): TransportFigures[] {
  const old = kept.get(model);
  // Several views ask in one round.
  if (old && old.series === model.version.series && old.record === model.record) return old.list;
  const list = compute(model);
  kept.set(model, { series: model.version.series, record: model.record, list });
  return list;
}

const kept = new WeakMap<
  RunModel,
  { series: number; record: RunModel['record']; list: TransportFigures[] }
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
  };
}

function soFar(model: RunModel, transport: Transport): TransportFigures {
  let bytes = 0;
  let messages = 0;
  let ns = 0;
  let app = 0;
  let nic = 0;
  let nicKnown = false;
  let kernel = 0;
  for (const [id, s] of model.series) {
    const source = model.sources.get(id);
    if (source?.transport !== transport) continue;
    for (let i = 0; i < s.columns.length; i++) {
      if (s.columns.at('t', i) <= s.omittedUntil) continue;
      if (source.role === 'client') {
        bytes += s.columns.at('bytes', i);
        messages += s.columns.at('messages', i);
        ns += s.columns.at('intervalNs', i);
      }
      app += s.columns.at('appNs', i);
      kernel += s.columns.at('kernelNs', i);
      const n = s.columns.at('nicNs', i);
      if (!Number.isNaN(n)) {
        nic += n;
        nicKnown = true;
      }
    }
  }
  const gb = bytes / 1e9;
  return {
    transport,
    settled: isFinal(model.record.state),
    goodputGbps: ns > 0 ? (bytes * 8) / ns : null,
    messagesPerSecond: ns > 0 ? (messages * 1e9) / ns : null,
    cpu:
      gb > 0
        ? { app: app / 1e9 / gb, nic: nicKnown ? nic / 1e9 / gb : null, kernel: kernel / 1e9 / gb }
        : null,
    latency: null,
  };
}
