import { lookupWcStatus, qpnText, type RunEventOf, WR_STAGES } from '@verbslab/protocol';
import { bytes, count, text } from '../../../format/number';
import type { RunModel } from '../../../model/run-model';
import { rowsOf, type Span } from '../model/spans';
import type { SpanTrack } from '../model/track';
import type { TrackEvents } from '../model/track-events';

type WorkRequest = RunEventOf<'wr'>;

/** Work requests of a run with their own stamps; of a program, the latest ones that the page keeps. */
export function workRequests(model: RunModel): WorkRequest[] {
  const traced = model.trace.filter((e) => e.kind === 'wr');
  return [...traced, ...model.lives];
}

/** Time of the last known stage of a work request. */
export const lastOf = (wr: WorkRequest): number =>
  Math.max(...WR_STAGES.map(([key]) => wr[key] ?? wr.posted));

export const requestLabel = (wr: WorkRequest): string => `${wr.opcode} ${text(bytes(wr.byteLen))}`;

function spanOf(wr: WorkRequest): Span {
  return {
    from: wr.posted,
    to: lastOf(wr),
    ref: wr.seq,
    label: wr.status === 0 ? requestLabel(wr) : `${requestLabel(wr)}: ${lookupWcStatus(wr.status).name}`,
    tone: wr.status === 0 ? 'request' : 'error',
    stages: WR_STAGES.flatMap(([key, name]) => {
      const t = wr[key];
      return t === null ? [] : [{ t, name }];
    }),
  };
}

/** Work requests of a QP. */
export interface QpRequests {
  endpoint: string;
  qpn: number;
  requests: readonly WorkRequest[];
  /**
   * Remark on omitted requests: an agent records stamps for a sample of a program's requests, and a live run shows the
   * latest. Null if all are here.
   */
  caveat: string | null;
  /** True if some requests of the endpoint are not recorded, so that their number at a time is unknown. */
  sampled: boolean;
}

/** Work requests by QP, in the order in which the QPs first appear. */
export function requestsByQp(model: RunModel, { requests }: TrackEvents): QpRequests[] {
  const qps = requests.keys.map((key): QpRequests => {
    const { items, caveat } = requests.of(key);
    const { endpoint = '', qpn } = items[0]!;
    return { endpoint, qpn, requests: items, caveat, sampled: false };
  });
  if (model.lives.length === 0) return qps;
  const drawn = new Map<string, number>();
  for (const qp of qps) drawn.set(qp.endpoint, (drawn.get(qp.endpoint) ?? 0) + qp.requests.length);
  return qps.map((qp) => {
    const known = drawn.get(qp.endpoint) ?? 0;
    const posted = model.counters.get(qp.endpoint)?.latest.posted_sends ?? 0;
    if (known >= posted) return qp;
    const sample = `a sample: ${count(known)} of ${count(posted)} posted`;
    return { ...qp, caveat: qp.caveat === null ? sample : `${sample}; ${qp.caveat}`, sampled: true };
  });
}

/** Most rows of a track: with more, it would be higher than a page. The table has the rest. */
const MAX_ROWS = 16;
const ROW_PX = 18;
export const TRACK_PAD = 6;

export const rowsHeight = (rows: number): number => Math.max(1, rows) * ROW_PX + TRACK_PAD;

/** Tracks of the work requests of each QP, from the post to the poll. */
export function requestTracks(qps: readonly QpRequests[]): SpanTrack[] {
  return qps.map(({ endpoint, qpn, requests, caveat }) => {
    const rows = rowsOf(requests.map(spanOf));
    const beyond = rows.slice(MAX_ROWS).reduce((n, row) => n + row.length, 0);
    const caveats = [
      ...(caveat === null ? [] : [caveat]),
      ...(beyond > 0 ? [`${beyond} more were outstanding at the same time`] : []),
    ];
    return {
      id: `wr ${endpoint} ${qpn}`,
      group: endpoint,
      title: `Work requests of QP ${qpnText(qpn)}`,
      kind: 'spans',
      of: 'wr',
      rows: rows.slice(0, MAX_ROWS),
      height: rowsHeight(Math.min(rows.length, MAX_ROWS)),
      ...(caveats.length > 0 ? { caveat: caveats.join('; ') } : {}),
    };
  });
}
