import { icrcOf } from '../packet/decode.js';
import { locate } from '../packet/locate.js';
import type { Whole } from '../packet/reassembly.js';
import { summarizeFrame } from '../packet/summary.js';
import type { CaptureRecord } from '../capture/types.js';
import type { DecodeOptions } from '../base/types.js';
import type { PacketRow } from './types.js';

/** Source of a row: a record of a capture file, or a live packet. */
export type RowSource = Pick<CaptureRecord, 'timeNs' | 'linkType' | 'data'> &
  Partial<Pick<CaptureRecord, 'originalLength' | 'comments' | 'direction'>> & {
    /** The packet that this last fragment completes. */
    whole?: Whole | null | undefined;
  };

/**
 * Returns a row of a packet list. `startNs` is the time that counts as 0. The ICRC is checked unless `options.icrc`
 * is false. The check costs about as much as reading the packet once.
 */
export function packetRow(
  source: RowSource,
  index: number,
  startNs: bigint,
  options: DecodeOptions = {},
): PacketRow {
  const { whole } = source;
  const { data, linkType } = whole ?? source;
  const frame = locate(data, linkType, options.ports);
  const { segment, summary } = summarizeFrame(data, frame);
  const row = summary as PacketRow;
  row.index = index;
  row.t = Number(source.timeNs - startNs);
  row.timeNs = source.timeNs;
  row.linkType = linkType;
  row.length = source.data.length;
  row.originalLength = source.originalLength ?? source.data.length;
  row.data = data;
  if (options.ports) row.ports = options.ports;
  if (whole) row.info += ` [of ${whole.fragments} IP fragments]`;
  if (source.comments) row.comments = source.comments;
  if (source.direction) row.direction = source.direction;
  if (segment && options.icrc !== false) {
    const status = icrcOf(data, frame, segment, options)?.status;
    if (status) row.icrc = status;
  }
  return row;
}

/** Rows of a whole capture, in the order of the file. Time 0 is the earliest packet. */
export function packetRows(records: RowSource[], options: DecodeOptions = {}): PacketRow[] {
  let start = records[0]?.timeNs ?? 0n;
  for (const r of records) if (r.timeNs < start) start = r.timeNs;
  return records.map((r, i) => packetRow(r, i, start, options));
}
