import { LatencyHistogram, wcOpcodeName } from '@verbslab/protocol';
import { binned, type LatencyView } from './latency-view.js';
import type { LatencyStretch, OpcodeLatencies } from './request-latencies.js';

/** Name of an opcode in choices; the value of a choice is its number as text. */
export const opcodeText = ({ opcode }: OpcodeLatencies): string =>
  opcode === null ? 'All requests' : wcOpcodeName(opcode);

/** Latencies of the requests as one curve of RDMA. */
export const latencyCurve = ({ distribution }: OpcodeLatencies): LatencyView =>
  binned([[null, LatencyHistogram.of(distribution)] as const], () => ({ transport: 'rdma' as const }));

/** A point of the lines over time: seconds and µs. Null where a line has a gap. */
export type LatencyPoint = { t: number } & Record<'p50' | 'p99' | 'max', number | null>;

const us = (ns: number | null): number | null => (ns === null ? null : ns / 1000);

const pointOf = ({ p50, p99, max }: LatencyStretch, t: number): LatencyPoint => ({
  ...{ t: t / 1e9, p50: us(p50), p99: us(p99), max: max / 1000 },
});

/** Lines over time. They hold through a stretch, and have a gap where no request completed. */
export function latencyPoints(stretches: readonly LatencyStretch[]): LatencyPoint[] {
  return stretches.flatMap((one, i) => {
    const next = stretches[i + 1];
    const gap = next !== undefined && next.from > one.to;
    return [
      pointOf(one, one.from),
      pointOf(one, one.to),
      ...(gap ? [{ t: one.to / 1e9, p50: null, p99: null, max: null }] : []),
    ];
  });
}

/** Percentiles over time, and the dashes of their lines. */
export const LATENCY_LINES = [
  ['p50', undefined],
  ['p99', '4 2'],
  ['max', '1 2'],
] as const;

/** Axes of the lines over time: seconds, and µs. */
export const latencyAxes = ({
  stretches,
  heat,
}: OpcodeLatencies): { domain: readonly [number, number]; range: readonly [number, number] } => ({
  domain: [stretches[0]!.from / 1e9, stretches.at(-1)!.to / 1e9],
  range: [heat.least / 1000, heat.classes.at(-1)! / 1000],
});
