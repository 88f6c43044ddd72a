import { binned, type LatencyView } from '@verbslab/charts/data';
import { plural } from '@verbslab/labs';
import { LatencyHistogram, wcOpcodeName } from '@verbslab/protocol';
import { count } from '../format/number';
import type { LatencySnapshot, LatencyStretch, OpcodeLatencies } from './request-latencies';
import type { RunModel } from './run-model';

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

/** Completions and requests without a latency, as a sentence; null if there are none. */
export function notMeasured(
  { receives, failed, untimed, measured }: LatencySnapshot,
  model: RunModel,
): string | null {
  const { dropped } = model.completions;
  let posted = 0;
  for (const { latest } of model.counters.values()) posted += latest.posted_sends ?? 0;
  // While details are missing, a request without a completion and one whose completion is missing look the same.
  const silent = dropped > 0 ? 0 : Math.max(0, posted - measured - failed - untimed);
  const parts = [
    silent > 0 ? `${plural(silent, 'send')} without a completion` : '',
    receives > 0 ? plural(receives, 'receive') : '',
    failed > 0 ? `${count(failed)} with an error` : '',
    untimed > 0 ? `${count(untimed)} whose post was not recorded` : '',
    dropped > 0 ? `${plural(dropped, 'completion')} whose details were not recorded` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : `Not measured: ${parts.join(', ')}.`;
}
