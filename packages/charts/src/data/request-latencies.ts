import {
  LatencyHistogram,
  samplesNeeded,
  type CompletionColumns,
  type Distribution,
} from '@verbslab/protocol';
import { classOf, CLASSES, heatCells, type HeatCells } from './latency-classes.js';

/** Width of an interval at first, ns. It doubles when the intervals become too many. */
const FIRST_WIDTH = 100_000;
export const MOST_INTERVALS = 256;

const NEVER = 0xffff_ffff;
/** Bit of the opcode of a received message. */
const RECEIVED = 128;

/** A stretch of time with percentiles of its own, ns. A percentile is null if there are too few requests for it. */
export interface LatencyStretch {
  from: number;
  to: number;
  n: number;
  p50: number | null;
  p99: number | null;
  max: number;
}

/** Latencies of the requests of one opcode, or of all requests. */
export interface OpcodeLatencies {
  /** Opcode of the completions; null for all of them. */
  opcode: number | null;
  distribution: Distribution;
  stretches: LatencyStretch[];
  /** Ends of the intervals of the heat map, ns; all are `width` long. */
  t: Float64Array;
  heat: HeatCells;
}

/** Latencies of completed requests at a moment, and how many completions have none. */
export interface LatencySnapshot {
  measured: number;
  /** Completions of receives: their program waited for the peer. */
  receives: number;
  /** Completions with an error. */
  failed: number;
  /** Sends that completed without a recorded time of their post. */
  untimed: number;
  /** Requests among the measured ones that took as long as can be recorded, or longer. */
  capped: number;
  /** Width of an interval of the heat maps, ns. */
  width: number;
  /** All requests first; then each opcode, if there are several. */
  opcodes: OpcodeLatencies[];
}

type Intervals = Map<number, LatencyHistogram>;

/** Latencies from the post to the completion of requests, by opcode and time, folded from completions. */
export class RequestLatencies {
  readonly #opcodes = new Map<number, Intervals>();
  readonly #counts = { measured: 0, receives: 0, failed: 0, untimed: 0, capped: 0 };
  #width = FIRST_WIDTH;
  /** First and last interval. */
  #first = Infinity;
  #last = -Infinity;

  /** Takes completions, which begin at `baseT` on the clock of the run. */
  take(baseT: number, { dt, latency, meta }: CompletionColumns): void {
    const counts = this.#counts;
    for (let i = 0; i < latency.length; i++) {
      const [ns, opcode] = [latency[i]!, meta[i]! & 0xff];
      if ((meta[i]! & 0xff00) !== 0) counts.failed++;
      else if (ns > 0) this.#record(opcode, baseT + dt[i]!, ns);
      else if (opcode >= RECEIVED) counts.receives++;
      else counts.untimed++;
    }
  }

  #record(opcode: number, t: number, ns: number): void {
    this.#counts.measured++;
    if (ns === NEVER) this.#counts.capped++;
    this.#reach(Math.floor(t / this.#width));
    const at = Math.floor(t / this.#width);
    let intervals = this.#opcodes.get(opcode);
    if (!intervals) this.#opcodes.set(opcode, (intervals = new Map()));
    let interval = intervals.get(at);
    if (!interval) intervals.set(at, (interval = new LatencyHistogram()));
    interval.record(ns);
  }

  /** Makes room for an interval: neighbors are merged until all fit. */
  #reach(at: number): void {
    this.#first = Math.min(this.#first, at);
    this.#last = Math.max(this.#last, at);
    while (this.#last - this.#first >= MOST_INTERVALS) {
      this.#width *= 2;
      this.#first = Math.floor(this.#first / 2);
      this.#last = Math.floor(this.#last / 2);
      for (const [opcode, intervals] of this.#opcodes) this.#opcodes.set(opcode, halved(intervals));
    }
  }

  snapshot(): LatencySnapshot {
    const width = this.#width;
    const opcodes = [...this.#opcodes].sort(([a], [b]) => a - b);
    const each = opcodes.map(([opcode, intervals]) => latenciesOf(opcode, intervals, width));
    const all =
      each.length > 1
        ? [latenciesOf(null, united(opcodes.map(([, intervals]) => intervals)), width), ...each]
        : each;
    return { ...this.#counts, width, opcodes: all };
  }
}

/** The intervals, each merged with its neighbor. */
const halved = (intervals: Intervals): Intervals =>
  united([...intervals].map(([at, values]) => new Map([[Math.floor(at / 2), values]])));

function united(all: readonly Intervals[]): Intervals {
  const sums: Intervals = new Map();
  for (const intervals of all)
    for (const [at, values] of intervals) {
      let sum = sums.get(at);
      if (!sum) sums.set(at, (sum = new LatencyHistogram()));
      sum.add(values);
    }
  return sums;
}

function latenciesOf(opcode: number | null, unsorted: Intervals, width: number): OpcodeLatencies {
  const intervals = [...unsorted].sort(([a], [b]) => a - b);
  const total = new LatencyHistogram();
  const cells = intervals.map(([, values]) => {
    total.add(values);
    const row = new Uint32Array(CLASSES);
    for (const [ns, n] of values.distribution) row[classOf(ns)]! += n;
    return row;
  });
  return {
    opcode,
    distribution: total.distribution,
    stretches: stretchesOf(intervals, width, total.count),
    t: Float64Array.from(intervals, ([at]) => (at + 1) * width),
    heat: heatCells(cells),
  };
}

type Interval = readonly [at: number, values: LatencyHistogram];

/** Stretches of a run with few requests. Each has as many requests as a median needs, at least. */
const FEW_STRETCHES = 24;
/** Share of the run in which no request completed, from which on it is a gap. */
const GAP = 1 / 16;

/** Intervals without a gap between them. */
function withoutGaps(intervals: readonly Interval[]): Interval[][] {
  const most = Math.max(1, ((intervals.at(-1)?.[0] ?? 0) - (intervals[0]?.[0] ?? 0)) * GAP);
  const out: Interval[][] = [];
  let before = -Infinity;
  for (const one of intervals) {
    if (one[0] - before - 1 > most) out.push([]);
    out.at(-1)!.push(one);
    before = one[0];
  }
  return out;
}

/**
 * Neighboring intervals merged into stretches with enough requests for p99, or, in a run with too few for two of
 * those, for p50. The rest before a gap belongs to the stretch before it.
 */
function stretchesOf(intervals: readonly Interval[], width: number, total: number): LatencyStretch[] {
  const enough = samplesNeeded('p99');
  const few = Math.max(samplesNeeded('p50'), Math.ceil(total / FEW_STRETCHES));
  const least = total >= 2 * enough ? enough : few;
  return withoutGaps(intervals).flatMap((some) => merged(some, width, least));
}

function merged(intervals: readonly Interval[], width: number, least: number): LatencyStretch[] {
  const out: { from: number; to: number; values: LatencyHistogram }[] = [];
  const rest = intervals.findLastIndex(
    (_, i) => intervals.slice(i).reduce((n, [, { count }]) => n + count, 0) >= least,
  );
  for (const [i, [at, values]] of intervals.entries()) {
    let open = out.at(-1);
    if (!open || (open.values.count >= least && i <= rest)) {
      open = { from: at * width, to: 0, values: new LatencyHistogram() };
      out.push(open);
    }
    open.values.add(values);
    open.to = (at + 1) * width;
  }
  return out.map(({ from, to, values }) => ({
    ...{ from, to, n: values.count },
    p50: values.percentile('p50'),
    p99: values.percentile('p99'),
    max: values.max,
  }));
}
