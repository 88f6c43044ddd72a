import type { Transport } from '@verbslab/protocol';
import type { RunModel, SeriesOfSource, Source } from './run-model';

/** Width of a bin: loops report every 100 ms, but not in step with each other. */
const BIN_NS = 100e6;

/** CPU of one transport in one bin, in cores (CPU seconds a second), both ends together. */
export interface CpuSplit {
  app: number;
  /** NaN where no device tells it. */
  nic: number;
  kernel: number;
}

export interface TransportSample {
  gbps: number;
  messages: number;
  cpu: CpuSplit;
  latencyP99Ns: number;
}

export interface SeriesRow {
  /** Seconds since the run was created: the middle of the bin. */
  t: number;
  rdma?: TransportSample;
  tcp?: TransportSample;
  udp?: TransportSample;
}

export interface StartUp {
  transport: Transport | null;
  from: number;
  to: number;
}

export interface SeriesView {
  rows: SeriesRow[];
  transports: Transport[];
  startUps: StartUp[];
  /** Seconds: the whole x axis. */
  domain: readonly [number, number];
}

interface Acc {
  bits: number;
  messages: number;
  clientNs: number;
  /** Of processes of a program, which run side by side: what they move adds up over the longest of their times. */
  processNs: Map<number, number>;
  app: number;
  nic: number;
  nicKnown: boolean;
  kernel: number;
  p99: number;
  /** Measured time per source: rates are over the time that was measured, not over the whole bin. */
  ends: Map<number, number>;
}

const empty = (): Acc => ({
  bits: 0,
  messages: 0,
  clientNs: 0,
  processNs: new Map(),
  app: 0,
  nic: 0,
  nicKnown: false,
  kernel: 0,
  p99: NaN,
  ends: new Map(),
});

function sample(acc: Acc): TransportSample {
  const longest = Math.max(1, ...acc.ends.values());
  const moved = Math.max(acc.clientNs, ...acc.processNs.values());
  return {
    gbps: moved > 0 ? acc.bits / moved : NaN,
    messages: moved > 0 ? (acc.messages * 1e9) / moved : NaN,
    cpu: {
      app: acc.app / longest,
      nic: acc.nicKnown ? acc.nic / longest : NaN,
      kernel: acc.kernel / longest,
    },
    latencyP99Ns: acc.p99,
  };
}

/**
 * Samples of a run by bins, kept between two looks: each look adds only what is new. When the run outgrows the
 * chart, bins double in width and everything is added up again, which happens a handful of times at most.
 */
class Bins {
  width = BIN_NS;
  #bins = new Map<number, Map<Transport, Acc>>();
  #taken = new Map<number, number>();
  readonly transports = new Set<Transport>();

  update(model: RunModel, limit: number): void {
    let last = 0;
    for (const s of model.series.values()) {
      if (s.columns.length > 0) last = Math.max(last, s.columns.at('t', s.columns.length - 1));
    }
    while (last / this.width > limit) {
      this.width *= 2;
      this.#bins.clear();
      this.#taken.clear();
    }
    for (const [id, s] of model.series) {
      const source = model.sources.get(id);
      if (!source) continue;
      this.transports.add(source.transport);
      for (let i = this.#taken.get(id) ?? 0; i < s.columns.length; i++) this.#add(source, s, i);
      this.#taken.set(id, s.columns.length);
    }
  }

  rows(): SeriesRow[] {
    return [...this.#bins.entries()]
      .sort((a, b) => a[0] - b[0])
      .map(([bin, byTransport]) => {
        const row: SeriesRow = { t: ((bin + 0.5) * this.width) / 1e9 };
        for (const [transport, acc] of byTransport) row[transport] = sample(acc);
        return row;
      });
  }

  /** Intervals neither begin with a bin nor last as long as one: each is spread over the bins it covers. */
  #add(source: Source, s: SeriesOfSource, i: number): void {
    const c = s.columns;
    const end = c.at('t', i);
    const interval = c.at('intervalNs', i);
    const begin = Math.max(0, end - interval);
    for (let bin = Math.floor(begin / this.width); bin * this.width < end; bin++) {
      const ns = Math.min(end, (bin + 1) * this.width) - Math.max(begin, bin * this.width);
      if (ns < interval * 1e-6) continue;
      const share = ns / interval;
      const acc = this.#acc(bin, source.transport);
      if (source.role !== 'server') {
        acc.bits += c.at('bytes', i) * 8 * share;
        acc.messages += c.at('messages', i) * share;
        if (source.role === 'client') acc.clientNs += ns;
        else acc.processNs.set(source.source, (acc.processNs.get(source.source) ?? 0) + ns);
        const p99 = c.at('latencyP99Ns', i);
        if (!Number.isNaN(p99)) acc.p99 = Number.isNaN(acc.p99) ? p99 : Math.max(acc.p99, p99);
      }
      acc.app += c.at('appNs', i) * share;
      acc.kernel += c.at('kernelNs', i) * share;
      const nic = c.at('nicNs', i);
      if (!Number.isNaN(nic)) {
        acc.nic += nic * share;
        acc.nicKnown = true;
      }
      acc.ends.set(source.source, (acc.ends.get(source.source) ?? 0) + ns);
    }
  }

  #acc(bin: number, transport: Transport): Acc {
    let byTransport = this.#bins.get(bin);
    if (!byTransport) this.#bins.set(bin, (byTransport = new Map<Transport, Acc>()));
    let acc = byTransport.get(transport);
    if (!acc) byTransport.set(transport, (acc = empty()));
    return acc;
  }
}

const NOTHING: TransportSample = {
  gbps: 1,
  messages: 0,
  cpu: { app: 1, nic: 0, kernel: 0 },
  latencyP99Ns: NaN,
};

/** What charts are mounted with before there is anything to show; nobody sees it. No run has such an axis. */
export const OUT_OF_SIGHT: SeriesView = {
  rows: [
    { t: -1, rdma: NOTHING },
    { t: 0, rdma: NOTHING },
  ],
  transports: ['rdma'],
  startUps: [],
  domain: [-1, 0],
};

interface Kept {
  bins: Bins;
  version: number;
  view: SeriesView;
}
const kept = new WeakMap<RunModel, Kept>();

/** Rows of a chart: more could not be told apart on a screen. */
const LIMIT = 240;

/** Time series of a run as rows on one x axis, so that every chart of the page shares it. */
export function seriesView(model: RunModel): SeriesView {
  const old = kept.get(model);
  if (old?.version === model.version.series) return old.view;
  const bins = old?.bins ?? new Bins();
  bins.update(model, LIMIT);
  const rows = bins.rows();
  const half = bins.width / 2e9;
  const view: SeriesView = {
    rows,
    transports: (['rdma', 'tcp', 'udp'] as const).filter((t) => bins.transports.has(t)),
    startUps: startUps(model),
    domain: rows.length > 0 ? [Math.max(0, rows[0]!.t - half), rows.at(-1)!.t + half] : [0, 1],
  };
  kept.set(model, { bins, version: model.version.series, view });
  return view;
}

function startUps(model: RunModel): StartUp[] {
  const open = new Map<string, StartUp>();
  const done: StartUp[] = [];
  for (const p of model.phases) {
    if (!p.omit) continue;
    if (p.phase === 'begin') {
      open.set(p.id, { transport: p.transport ?? null, from: p.t / 1e9, to: Infinity });
    } else {
      const o = open.get(p.id);
      if (o) done.push({ ...o, to: p.t / 1e9 });
      open.delete(p.id);
    }
  }
  return [...done, ...open.values()].sort((a, b) => a.from - b.from);
}
