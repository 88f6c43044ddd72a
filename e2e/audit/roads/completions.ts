// The completions panel: how many there were, and the rows in sight beside the records.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type RunExport } from '../export.js';
import { sum } from '../figures.js';

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

/** The rows in sight: No., Time, Opcode, Side, Bytes, Latency, QP, wr_id, Batch. */
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
    row.equal(`0x${record.qpn.toString(16)}`, ROAD, qpn);
    row.equal(record.wrId, ROAD, wrId);
    row.equal(record.batch, ROAD, batch);
  }
}
