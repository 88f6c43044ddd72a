import { LOCAL_HOST, TRANSPORTS, type Transport } from '@verbslab/protocol';
import { spreadCpu, type CpuInterval, type CpuSplit } from './cpu-spread.js';
import type { MeasuredRun, SeriesOfSource, Source } from './measured-run.js';

/** Width of a bin. Loops report every 100 ms, but not in step with each other. */
const BIN_NS = 100e6;

/**
 * Longest interval that is spread over bins. A longer one is drawn as a single bar: it does not say when something
 * happened in it.
 */
const HOLE_NS = 3 * BIN_NS;

export interface TransportSample {
  gbps: number;
  messages: number;
  /** Cores (CPU seconds per second), both ends together. */
  cpu: CpuSplit;
  /** Measured part of the bin at either end, ns. */
  measuredNs: number;
}

/** A sample that took much longer than the others: the machine or the program stalled. */
export interface Hole {
  transport: Transport;
  /** Start, seconds since the run was created. */
  from: number;
  to: number;
  sample: TransportSample;
}

export interface SeriesRow {
  /** Seconds since the run was created: the middle of the bin, or of the hole. */
  t: number;
  /** The hole that this row stands for, in place of samples. */
  hole?: Hole;
  rdma?: TransportSample;
  shm?: TransportSample;
  tcp?: TransportSample;
  udp?: TransportSample;
}

export interface StartUp {
  transport: Transport;
  from: number;
  to: number;
}

export interface SeriesView {
  rows: SeriesRow[];
  transports: Transport[];
  holes: Hole[];
  startUps: StartUp[];
  /** Width of a bin, seconds. */
  binSeconds: number;
  /** The whole x axis, seconds. */
  domain: readonly [number, number];
}

interface Acc {
  bits: number;
  messages: number;
  clientNs: number;
  /** Time of each process of a program, ns. Processes run side by side: rates are over the longest of these times. */
  processNs: Map<number, number>;
  app: number;
  nic: number;
  nicKnown: boolean;
  kernel: number;
  /** Start and end of the measured time at either end, ns. CPU is over that time, not over the whole bin. */
  from: number;
  to: number;
  /** CPU time available to the threads on each host, ns; Infinity if their number is unknown. */
  threadNs: Map<string, number>;
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
  from: Infinity,
  to: 0,
  threadNs: new Map(),
});

const measured = (acc: Acc): number => Math.max(1, acc.to - acc.from);

function sample(acc: Acc, { app, nic, kernel }: CpuSplit): TransportSample {
  const ns = measured(acc);
  const moved = Math.max(acc.clientNs, ...acc.processNs.values());
  return {
    gbps: moved > 0 ? acc.bits / moved : NaN,
    messages: moved > 0 ? (acc.messages * 1e9) / moved : NaN,
    cpu: { app: app / ns, nic: nic / ns, kernel: kernel / ns },
    measuredNs: ns,
  };
}

/** Number of threads. A loop has one thread, and its device has another. Threads of a program are not counted. */
const threadsOf = ({ role, transport }: Source): number =>
  role === 'process' ? Infinity : transport === 'rdma' || transport === 'shm' ? 2 : 1;

const hostOf = (model: MeasuredRun, { endpoint = '' }: Source): string =>
  model.endpoints.get(endpoint)?.host ?? LOCAL_HOST;

/** CPUs of each host, if the run records them. */
const cpusOf = (model: MeasuredRun): Map<string, number> =>
  new Map(
    [...model.endpoints.values()].flatMap(({ host = LOCAL_HOST, cpus }) =>
      cpus === undefined ? [] : [[host, cpus] as const],
    ),
  );

function cpuOf(acc: Acc, cpus: ReadonlyMap<string, number>): CpuInterval {
  const ns = measured(acc);
  let most = 0;
  for (const [host, threadNs] of acc.threadNs) most += Math.min(threadNs, ns * (cpus.get(host) ?? Infinity));
  const { app, kernel } = acc;
  const nic = acc.nicKnown ? acc.nic : NaN;
  return { ns, cpu: { app, nic, kernel }, most, worked: acc.bits > 0 || acc.messages > 0 };
}

/**
 * Samples of a run in bins. Bins are kept between updates, so each update adds only new samples. When the run outgrows
 * the chart, bins double in width and everything is added up again, a handful of times at most.
 */
class Bins {
  width = BIN_NS;
  #bins = new Map<number, Map<Transport, Acc>>();
  #taken = new Map<number, number>();
  #holes: { transport: Transport; acc: Acc }[] = [];
  readonly transports = new Set<Transport>();

  update(model: MeasuredRun, limit: number): void {
    let last = 0;
    for (const s of model.series.values()) {
      if (s.columns.length > 0) last = Math.max(last, s.columns.at('t', s.columns.length - 1));
    }
    while (last / this.width > limit) {
      this.width *= 2;
      this.#bins.clear();
      this.#taken.clear();
      this.#holes = [];
    }
    for (const [id, s] of model.series) {
      const source = model.sources.get(id);
      if (!source) continue;
      this.transports.add(source.transport);
      const host = hostOf(model, source);
      for (let i = this.#taken.get(id) ?? 0; i < s.columns.length; i++) this.#add(source, host, s, i);
      this.#taken.set(id, s.columns.length);
    }
  }

  /** Rows of the chart. `cpus`: CPUs of each host, if known. */
  rows(cpus: ReadonlyMap<string, number>): SeriesRow[] {
    const bins = [...this.#bins.entries()].sort((a, b) => a[0] - b[0]);
    const cpu = new Map<Acc, CpuSplit>();
    for (const transport of this.transports) {
      for (const stretch of stretchesOf(bins, transport)) {
        const spread = spreadCpu(stretch.map((acc) => cpuOf(acc, cpus)));
        stretch.forEach((acc, i) => cpu.set(acc, spread[i]!));
      }
    }
    return bins.map(([bin, byTransport]) => {
      const row: SeriesRow = { t: ((bin + 0.5) * this.width) / 1e9 };
      for (const [transport, acc] of byTransport) row[transport] = sample(acc, cpu.get(acc)!);
      return row;
    });
  }

  holes(cpus: ReadonlyMap<string, number>): Hole[] {
    return this.#holes.map(({ transport, acc }) => ({
      transport,
      from: acc.from / 1e9,
      to: acc.to / 1e9,
      sample: sample(acc, spreadCpu([cpuOf(acc, cpus)])[0]!),
    }));
  }

  /**
   * Adds an interval. Intervals neither begin with a bin nor last as long as one, so each is spread over the bins it
   * covers.
   */
  #add(source: Source, host: string, s: SeriesOfSource, i: number): void {
    const end = s.columns.at('t', i);
    const interval = s.columns.at('intervalNs', i);
    const begin = Math.max(0, end - interval);
    if (interval > Math.max(HOLE_NS, this.width)) {
      this.#put(this.#hole(source.transport, begin, end), source, host, s, i, begin, end);
      return;
    }
    for (let bin = Math.floor(begin / this.width); bin * this.width < end; bin++) {
      const from = Math.max(begin, bin * this.width);
      const to = Math.min(end, (bin + 1) * this.width);
      if (to - from < interval * 1e-6) continue;
      this.#put(this.#acc(bin, source.transport), source, host, s, i, from, to);
    }
  }

  /** Adds the part of an interval between two times. */
  #put(acc: Acc, source: Source, host: string, s: SeriesOfSource, i: number, from: number, to: number): void {
    const c = s.columns;
    const ns = to - from;
    const share = ns / c.at('intervalNs', i);
    if (source.role !== 'server') {
      acc.bits += c.at('bytes', i) * 8 * share;
      acc.messages += c.at('messages', i) * share;
      if (source.role === 'client') acc.clientNs += ns;
      else acc.processNs.set(source.source, (acc.processNs.get(source.source) ?? 0) + ns);
    }
    acc.app += c.at('appNs', i) * share;
    acc.kernel += c.at('kernelNs', i) * share;
    const nic = c.at('nicNs', i);
    if (!Number.isNaN(nic)) {
      acc.nic += nic * share;
      acc.nicKnown = true;
    }
    acc.from = Math.min(acc.from, from);
    acc.to = Math.max(acc.to, to);
    acc.threadNs.set(host, (acc.threadNs.get(host) ?? 0) + ns * threadsOf(source));
  }

  /** The hole of a time range. Both ends of a connection stall together and share a hole. */
  #hole(transport: Transport, from: number, to: number): Acc {
    const known = this.#holes.find(
      (hole) => hole.transport === transport && hole.acc.from < to && from < hole.acc.to,
    );
    if (known) return known.acc;
    const acc = empty();
    this.#holes.push({ transport, acc });
    return acc;
  }

  #acc(bin: number, transport: Transport): Acc {
    let byTransport = this.#bins.get(bin);
    if (!byTransport) this.#bins.set(bin, (byTransport = new Map<Transport, Acc>()));
    let acc = byTransport.get(transport);
    if (!acc) byTransport.set(transport, (acc = empty()));
    return acc;
  }
}

/** Consecutive bins of a transport, without gaps. */
function stretchesOf(
  bins: readonly (readonly [number, ReadonlyMap<Transport, Acc>])[],
  transport: Transport,
): Acc[][] {
  const stretches: Acc[][] = [];
  let last = NaN;
  for (const [bin, byTransport] of bins) {
    const acc = byTransport.get(transport);
    if (!acc) continue;
    if (bin === last + 1) stretches.at(-1)!.push(acc);
    else stretches.push([acc]);
    last = bin;
  }
  return stretches;
}

interface Kept {
  bins: Bins;
  version: number;
  view: SeriesView;
}
const kept = new WeakMap<MeasuredRun, Kept>();

/** Most rows of a chart. More would not be distinct on a screen. */
const LIMIT = 240;

/** Time series of a run as rows on one x axis, shared by every chart of the page. */
export function seriesView(model: MeasuredRun): SeriesView {
  const old = kept.get(model);
  if (old?.version === model.version.series) return old.view;
  const bins = old?.bins ?? new Bins();
  bins.update(model, LIMIT);
  const cpus = cpusOf(model);
  const holes = bins.holes(cpus);
  const rows = [
    ...bins.rows(cpus),
    ...holes.map((hole): SeriesRow => ({ t: (hole.from + hole.to) / 2, hole })),
  ].sort((a, b) => a.t - b.t);
  const half = bins.width / 2e9;
  const from = rows.map(({ t, hole }) => hole?.from ?? t - half);
  const to = rows.map(({ t, hole }) => hole?.to ?? t + half);
  const view: SeriesView = {
    rows,
    transports: TRANSPORTS.filter((t) => bins.transports.has(t)),
    holes,
    startUps: startUps(model),
    binSeconds: bins.width / 1e9,
    domain: rows.length > 0 ? [Math.max(0, Math.min(...from)), Math.max(...to)] : [0, 1],
  };
  kept.set(model, { bins, version: model.version.series, view });
  return view;
}

/** Warm-up of each loop that sends, by its samples. */
function startUps(model: MeasuredRun): StartUp[] {
  const list: StartUp[] = [];
  for (const [id, { columns, omittedUntil }] of model.series) {
    const source = model.sources.get(id);
    if (!source || source.role === 'server' || Number.isNaN(omittedUntil)) continue;
    const from = Math.max(0, columns.at('t', 0) - columns.at('intervalNs', 0));
    list.push({ transport: source.transport, from: from / 1e9, to: omittedUntil / 1e9 });
  }
  return list.sort((a, b) => a.from - b.from);
}
