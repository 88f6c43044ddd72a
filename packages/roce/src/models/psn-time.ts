import { opcodeInfo } from '../base/opcodes.js';
import { PsnPointKind } from './types.js';
import type { Analysis, PacketRow, PsnSeries } from './types.js';

/**
 * PSN against time, a series per requester: its requests rise, its retransmissions fall back, and the acknowledgments
 * follow. The gap between requests and acknowledgments is the data in flight.
 */
export function psnTimeModel(analysis: Analysis): PsnSeries[] {
  const points = new Map<number, number[]>();
  for (const row of analysis.rows) {
    const i = row.index;
    if (analysis.connectionOf[i]! < 0 || Number.isNaN(analysis.psnOf[i])) continue;
    const isRequest = opcodeInfo(row.opcode!)?.request ?? true;
    const requester = isRequest ? analysis.senderOf[i]! : 1 - analysis.senderOf[i]!;
    const key = analysis.connectionOf[i]! * 2 + requester;
    const list = points.get(key);
    if (list) list.push(i);
    else points.set(key, [i]);
  }
  return [...points.keys()]
    .sort((a, b) => a - b)
    .map((key) => series(analysis, key >> 1, (key & 1) as 0 | 1, points.get(key)!))
    .filter((s) => s !== undefined);
}

function series(
  analysis: Analysis,
  connection: number,
  requester: 0 | 1,
  indices: number[],
): PsnSeries | undefined {
  const { ends, basePsn } = analysis.connections[connection]!;
  const base = basePsn[requester];
  if (base === null) return undefined;
  const n = indices.length;
  const result: PsnSeries = {
    connection,
    requester: ends[requester],
    responder: ends[requester === 0 ? 1 : 0],
    basePsn: base,
    t: new Float64Array(n),
    psn: new Float64Array(n),
    kind: new Uint8Array(n),
    packet: new Uint32Array(n),
  };
  indices.forEach((index, i) => {
    const row = analysis.rows[index]!;
    result.t[i] = row.t;
    result.psn[i] = analysis.psnOf[index]!;
    result.kind[i] = pointKind(analysis, row);
    result.packet[i] = index;
  });
  return result;
}

function pointKind(analysis: Analysis, row: PacketRow): number {
  const marks = analysis.marks.get(row.index);
  if (row.kind === 'nak') return PsnPointKind.NAK;
  if (row.kind === 'rnr') return PsnPointKind.RNR;
  if (row.kind === 'ack' || row.kind === 'atomic-ack') return PsnPointKind.ACK;
  if (row.kind === 'read-response')
    return marks?.includes('duplicate') ? PsnPointKind.DUPLICATE_RESPONSE : PsnPointKind.READ_RESPONSE;
  return marks?.includes('retransmission') ? PsnPointKind.RETRANSMISSION : PsnPointKind.REQUEST;
}
