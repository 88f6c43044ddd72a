import { lookupWcStatus } from '../errno.js';
import type { RunEventOf } from '../events.js';
import { decodeCompletions, decodeHeader, decodeSeries } from '../decode-frames.js';
import { WC_FLUSH } from '../problems.js';
import { wcOpcodeName } from '../wc-opcode.js';
import type { TraceLanes } from './trace-lanes.js';
import { counter, instant, slice } from './trace-shapes.js';

type Source = RunEventOf<'source'>;

/** Mark of a latency that does not fit its 32 bits. */
const LONGEST = 0xffff_ffff;

/** Throughput and CPU of each interval, as counters that hold from its beginning. */
function* seriesEvents(frame: Uint8Array, from: Source | undefined, lanes: TraceLanes): Generator<object> {
  const pid = lanes.process(from?.endpoint);
  const of = [from?.transport, from?.role, from?.label, from?.round && `round ${from.round}`]
    .filter(Boolean)
    .join(', ');
  for (const { t, intervalNs, bytes, appNs, nicNs, kernelNs } of decodeSeries(frame)) {
    const at = Math.max(0, t - intervalNs);
    yield* counter(`Gb/s (${of})`, at, pid, { value: (bytes * 8) / intervalNs });
    yield* counter(`CPUs (${of})`, at, pid, {
      application: appNs / intervalNs,
      'NIC work': nicNs / intervalNs,
      kernel: kernelNs / intervalNs,
    });
  }
}

/**
 * Completions as slices from the post on. A receive of a program is only an instant: the time of its post was not
 * recorded.
 */
function* completionEvents(
  frame: Uint8Array,
  from: Source | undefined,
  lanes: TraceLanes,
): Generator<object> {
  const { t: base, count } = decodeHeader(frame);
  const columns = decodeCompletions(frame);
  const endpoint = from?.endpoint;
  for (let index = 0; index < count; index++) {
    const t = base + columns.dt[index]!;
    const latency = columns.latency[index]!;
    const meta = columns.meta[index]!;
    const status = (meta >>> 8) & 0xff;
    const [qpn, wrId] = [columns.qpn[index]!, columns.wrId[index]!];
    // The opcode of a completion is only defined if its status is 0.
    const name = status === 0 ? wcOpcodeName(meta & 0xff) : lookupWcStatus(status).name;
    const args = {
      wrId,
      byteLen: columns.byteLen[index]!,
      polledTogether: columns.batch[index]!,
      ...(latency === LONGEST ? { posted: 'before this slice begins' } : {}),
    };
    if (latency === 0) yield instant('completion', name, t, lanes.qp(endpoint, qpn), args);
    else {
      const posted = Math.max(0, t - latency);
      yield slice('request', name, posted, t, lanes.requests(endpoint, qpn, 'completed', posted, t), args);
    }
    // Failed completions of programs have events of their own.
    if (status !== 0 && status !== WC_FLUSH && from?.role !== 'process')
      yield instant('error', name, t, lanes.row(endpoint, 'errors'), { qpn, wrId });
  }
}

/** Trace events of a frame. Frames of other kinds have no place on a timeline. */
export function* frameEvents(
  frame: Uint8Array,
  sources: ReadonlyMap<number, Source>,
  lanes: TraceLanes,
): Generator<object> {
  const { kind, source } = decodeHeader(frame);
  const from = sources.get(source);
  if (kind === 'series') yield* seriesEvents(frame, from, lanes);
  else if (kind === 'completions') yield* completionEvents(frame, from, lanes);
}
