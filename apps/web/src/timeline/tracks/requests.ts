import { lookupWcStatus, type RunEventOf } from '@verbslab/protocol';
import { bytes, count, hex, text } from '../../format/number';
import type { RunModel } from '../../run/model/run-model';
import { rowsOf, type Span } from '../model/spans';
import type { SpanTrack } from '../model/track';

type WorkRequest = RunEventOf<'wr'>;

/** What is known of the work requests of a run, by their own stamps: of a program the first thousands. */
export function workRequests(model: RunModel): WorkRequest[] {
  const traced = model.trace.filter((e) => e.kind === 'wr');
  return [...traced, ...model.lives];
}

export const STAGES = [
  ['posted', 'posted'],
  ['firstTx', 'first packet'],
  ['lastTx', 'last packet'],
  ['acked', 'acknowledged'],
  ['cqe', 'CQE'],
  ['polled', 'polled'],
] as const;

/** When the last thing that is known of it happened. */
export const lastOf = (wr: WorkRequest): number => Math.max(...STAGES.map(([key]) => wr[key] ?? wr.posted));

export const requestLabel = (wr: WorkRequest): string => `${wr.opcode} ${text(bytes(wr.byteLen))}`;

function spanOf(wr: WorkRequest): Span {
  return {
    from: wr.posted,
    to: lastOf(wr),
    ref: wr.seq,
    label: wr.status === 0 ? requestLabel(wr) : `${requestLabel(wr)}: ${lookupWcStatus(wr.status).name}`,
    tone: wr.status === 0 ? 'request' : 'error',
    stages: STAGES.flatMap(([key, name]) => {
      const t = wr[key];
      return t === null ? [] : [{ t, name }];
    }),
  };
}

/** An agent records the stamps of a sample of what a program posts. Empty where all are there. */
export function sampleCaveat(model: RunModel, endpoint: string): string[] {
  const known = model.lives.filter((wr) => (wr.endpoint ?? '') === endpoint).length;
  const posted = model.counters.get(endpoint)?.latest.posted_sends ?? 0;
  return known > 0 && known < posted ? [`a sample: ${count(known)} of ${count(posted)} posted`] : [];
}

/** More rows than this would make a track higher than a page; what waits beyond is in the table. */
const MAX_ROWS = 16;
const ROW_PX = 18;
export const TRACK_PAD = 6;

export const rowsHeight = (rows: number): number => Math.max(1, rows) * ROW_PX + TRACK_PAD;

/** The work requests of each QP: from the post to the poll. */
export function requestTracks(model: RunModel): SpanTrack[] {
  const byQp = new Map<string, WorkRequest[]>();
  for (const wr of workRequests(model)) {
    const key = `${wr.endpoint ?? ''} ${wr.qpn}`;
    const list = byQp.get(key);
    if (list) list.push(wr);
    else byQp.set(key, [wr]);
  }
  return [...byQp.values()].map((list) => {
    const { endpoint = '', qpn } = list[0]!;
    const rows = rowsOf(list.map(spanOf));
    const beyond = rows.slice(MAX_ROWS).reduce((n, row) => n + row.length, 0);
    const caveats = [
      ...sampleCaveat(model, endpoint),
      ...(beyond > 0 ? [`${beyond} more were outstanding at the same time`] : []),
    ];
    return {
      id: `wr ${endpoint} ${qpn}`,
      group: endpoint,
      title: `Work requests of QP ${hex(qpn)}`,
      kind: 'spans',
      of: 'wr',
      rows: rows.slice(0, MAX_ROWS),
      height: rowsHeight(Math.min(rows.length, MAX_ROWS)),
      ...(caveats.length > 0 ? { caveat: caveats.join('; ') } : {}),
    };
  });
}
