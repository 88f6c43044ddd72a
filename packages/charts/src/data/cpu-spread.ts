/** CPU time by who spent it, ns. */
export interface CpuSplit {
  app: number;
  /** NaN if no device reports it. */
  nic: number;
  kernel: number;
}

export interface CpuInterval {
  /** How long it was, ns. */
  ns: number;
  /** What was reported for it, ns of CPU time. */
  cpu: CpuSplit;
  /** The most that the threads and CPUs there are can spend in it, ns; Infinity if that is not known. */
  most: number;
  /** Something was done in it. */
  worked: boolean;
}

/** Shorter stretches say nothing: a kernel charges a running thread late, and then for several samples at once. */
const LEAST_NS = 500e6;

interface Span extends CpuInterval {
  from: number;
  to: number;
}

const known = (value: number): number => (Number.isNaN(value) ? 0 : value);
const used = ({ app, nic, kernel }: CpuSplit): number => app + known(nic) + kernel;
const isOver = ({ cpu, most }: CpuInterval): boolean => used(cpu) > most * (1 + 1e-9);
const isLost = ({ cpu, worked }: CpuInterval): boolean => worked && used(cpu) === 0;

/** Adds what comes right behind a span to it. */
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

/** Spans that can be true, each as short as that allows: a late charge belongs to what came before it. */
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
 * The CPU time of intervals that follow each other, spread evenly over stretches of at least half a second. Every part
 * keeps its sum. An interval gets no more than it can hold if the sum permits that, and more than nothing if something was
 * done in it.
 */
export function spreadCpu(intervals: readonly CpuInterval[], leastNs = LEAST_NS): CpuSplit[] {
  return spansOf(intervals, leastNs).flatMap(({ from, to, cpu, most, ns }) =>
    intervals.slice(from, to).map((interval) => {
      const share = Number.isFinite(most) ? interval.most / most : interval.ns / ns;
      return { app: cpu.app * share, nic: cpu.nic * share, kernel: cpu.kernel * share };
    }),
  );
}
