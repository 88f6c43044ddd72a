// The completions panel: the number of completions, and the visible rows compared with the records.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type RunExport } from '../export.js';
import { sum } from '../figures.js';
import { hex6 } from './packets.js';

const SUCCESS = 0;
const FLUSHED = 5;

const statuses = (data: RunExport): number[] =>
  itemsOf(data, 'completions').flatMap(({ columns }) => columns.meta.map((meta) => (meta >>> 8) & 0xff));

const ROAD = 'the completion records of the stream';

export const COMPLETIONS: Roads<Evidence> = {
  completions: (claim, { data }) =>
    claim.count(sum(itemsOf(data, 'completions').map(({ count }) => count)), ROAD),
  'completion-errors': (claim, { data }) =>
    claim.count(statuses(data).filter((status) => status !== SUCCESS && status !== FLUSHED).length, ROAD),
  'completion-flushes': (claim, { data }) =>
    claim.count(statuses(data).filter((status) => status === FLUSHED).length, ROAD),
  'completions-dropped': (claim, { data }) => {
    const atSource = sum(itemsOf(data, 'completions').map(({ dropped }) => dropped));
    const beyond = itemsOf(data, 'dropped').filter(({ what }) => what === 'completions');
    claim.count(
      atSource + sum(beyond.map(({ records }) => records)),
      'what frames and the recorder left out',
    );
  },
  'polled-completions': (claim, { data }) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal('Time, s|Side|Opcode or error|Bytes|QP|wr_id', 'what the audit knows of it', head!.join('|'));
    const events = itemsOf(data, 'completion').sort((a, b) => b.t - a.t);
    claim.equal(events.length, 'the completion events', String(rows.length));
    rows.forEach(([time, side, what, bytes, qp, wrId], i) => {
      const { t, endpoint = '', wc } = events[i]!;
      const row = claim.about({ row: String(i + 1), wr: String(wc.wrId) });
      row.equal((t / 1e9).toFixed(4), 'the completion event', time);
      row.equal(endpoint, 'the completion event', side!.toLowerCase().replace(' ', '-'));
      row.equal(wc.status === SUCCESS ? wc.opcode : `${wc.status} ${wc.statusName}`, 'the event', what);
      if (wc.status !== SUCCESS) row.equal('–', 'the event, whose length means nothing', bytes);
      else row.count(wc.byteLen, 'the completion event', bytes);
      row.equal(hex6(wc.qpn), 'the completion event', qp);
      row.equal(wc.wrId, 'the completion event', wrId);
    });
  },
};

interface Completion {
  t: number;
  source: number;
  latency: number;
  byteLen: number;
  qpn: number;
  wrId: number;
  batch: number;
}

/** All records, in the order of the stream. */
function completionsOf(data: RunExport): Completion[] {
  return itemsOf(data, 'completions').flatMap(({ t, source, columns: c }) =>
    c.dt.map((dt, i) => ({
      t: t + dt,
      source,
      latency: c.latency[i]!,
      byteLen: c.byteLen[i]!,
      qpn: c.qpn[i]!,
      wrId: c.wrId[i]!,
      batch: c.batch[i]!,
    })),
  );
}

/** Checks the visible rows: No., Time, Opcode, Side, Bytes, Latency, QP, wr_id, Batch. */
export function completionRows(claim: Claim, { data }: Evidence, rows: readonly (readonly string[])[]): void {
  const records = completionsOf(data);
  const sources = new Map(itemsOf(data, 'source').map((event) => [event.source, event]));
  claim.holds(rows.length > 0, 'the records', `${records.length}, and no row`);
  for (const cells of rows) {
    const [number = '', time, , side, bytes, latency, qpn, wrId, batch] = cells;
    const record = records[Number(number.replaceAll(',', '')) - 1];
    if (!record) claim.fail(ROAD, `${records.length} records`, cells.join(' | '));
    const source = sources.get(record.source)!;
    const row = claim.about({ row: number });
    row.equal((record.t / 1e9).toFixed(4), ROAD, time);
    row.equal((source.role === 'process' ? source.endpoint : source.role) ?? '', ROAD, side);
    row.count(record.byteLen, ROAD, bytes);
    if (record.latency === 0) row.equal('–', ROAD, latency);
    else row.figure(record.latency / 1000, ROAD, latency);
    row.equal(hex6(record.qpn), ROAD, qpn);
    row.equal(record.wrId, ROAD, wrId);
    row.equal(record.batch, ROAD, batch);
  }
}
