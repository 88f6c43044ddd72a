/** CPU time by consumer, ns. */
export interface CpuSplit {
  app: number;
  /** NaN if no device reports it. */
  nic: number;
  kernel: number;
}

export interface CpuInterval {
  /** Duration, ns. */
  ns: number;
  /** CPU time reported for the interval, ns. */
  cpu: CpuSplit;
  /** The most CPU time that the threads and CPUs can spend in the interval, ns; Infinity if unknown. */
  most: number;
  /** True if any work was done in the interval. */
  worked: boolean;
}

/** Shortest stretch, ns. A kernel charges a running thread late, and then for several samples at once. */
const LEAST_NS = 500e6;

interface Span extends CpuInterval {
  from: number;
  to: number;
}

const known = (value: number): number => (Number.isNaN(value) ? 0 : value);
const used = ({ app, nic, kernel }: CpuSplit): number => app + known(nic) + kernel;
const isOver = ({ cpu, most }: CpuInterval): boolean => used(cpu) > most * (1 + 1e-9);
const isLost = ({ cpu, worked }: CpuInterval): boolean => worked && used(cpu) === 0;

/** Extends a span by the interval that follows it. */
function append(span: Span, next: CpuInterval, to: number): void {
  const both = Number.isNaN(span.cpu.nic) && Number.isNaN(next.cpu.nic);
  span.to = to;
  span.ns += next.ns;
  span.cpu.app += next.cpu.app;
  span.cpu.nic = both ? NaN : known(span.cpu.nic) + known(next.cpu.nic);
  span.cpu.kernel += next.cpu.kernel;
  span.most += next.most;
  span.worked ||= next.worked;
}

/** Spans with possible values, each as short as that allows. A late charge belongs to the time before it. */
function spansOf(intervals: readonly CpuInterval[], leastNs: number): Span[] {
  const spans: Span[] = [];
  const put = (span: Span): void => {
    let top = span;
    for (let below = spans.at(-1); below && (isOver(top) || isOver(below)); below = spans.at(-1)) {
      spans.pop();
      append(below, top, top.to);
      top = below;
    }
    spans.push(top);
  };
  let open: Span | null = null;
  for (const [index, interval] of intervals.entries()) {
    if (open) append(open, interval, index + 1);
    else open = { ...interval, cpu: { ...interval.cpu }, from: index, to: index + 1 };
    if (open.ns < leastNs || isLost(open)) continue;
    put(open);
    open = null;
  }
  const below = open ? spans.pop() : undefined;
  if (open && below) {
    append(below, open, open.to);
    put(below);
  } else if (open) put(open);
  return spans;
}

/**
 * The CPU time of consecutive intervals, spread evenly over stretches of at least half a second. Every part keeps its
 * sum. An interval gets no more than it can hold if the sum permits that, and more than zero if work was done in it.
 */
export function spreadCpu(intervals: readonly CpuInterval[], leastNs = LEAST_NS): CpuSplit[] {
  return spansOf(intervals, leastNs).flatMap(({ from, to, cpu, most, ns }) =>
    intervals.slice(from, to).map((interval) => {
      const share = Number.isFinite(most) ? interval.most / most : interval.ns / ns;
      return { app: cpu.app * share, nic: cpu.nic * share, kernel: cpu.kernel * share };
    }),
  );
}
