import { hexNumber } from '../base/bytes.js';
import { AethType, aethType } from '../headers/aeth.js';
import { opcodeInfo } from '../base/opcodes.js';
import type {
  Analysis,
  EndpointRef,
  LadderLane,
  LadderModel,
  LadderOptions,
  LadderPacket,
  PacketRow,
} from './types.js';
import { plainIp } from './connections.js';

/**
 * The ladder: a vertical line per endpoint and an arrow per RoCE packet, in time order. An arrow of a QP that talks to
 * itself (connection management within one host) has `from` equal to `to`.
 */
export function ladderModel(analysis: Analysis, options: LadderOptions = {}): LadderModel {
  const lanes = new Lanes(analysis, options);
  const packets: LadderPacket[] = [];
  let skipped = 0;
  for (const row of analysis.rows) {
    const connection = analysis.connectionOf[row.index]!;
    if (connection < 0 || analysis.marks.get(row.index)?.includes('copy')) {
      skipped++;
      continue;
    }
    const sender = analysis.senderOf[row.index]! as 0 | 1;
    const { ends } = analysis.connections[connection]!;
    const message = analysis.messageOf[row.index]!;
    packets.push({
      packet: row.index,
      t: row.t,
      from: lanes.of(ends[sender], row, true),
      to: lanes.of(ends[sender === 0 ? 1 : 0], row, false),
      kind: row.kind,
      label: arrowLabel(row),
      ...(row.psn === undefined ? {} : { psn: row.psn }),
      connection,
      ...(message < 0 ? {} : { message }),
      marks: analysis.marks.get(row.index) ?? [],
    });
  }
  return {
    lanes: lanes.list,
    packets,
    messages: analysis.messages,
    connections: analysis.connections,
    skipped,
  };
}

/** `WRITE First 8910440`, `ACK 8910403`, `NAK 8910378`. */
export function arrowLabel(row: Pick<PacketRow, 'cm' | 'opcode' | 'kind' | 'syndrome' | 'psn'>): string {
  if (row.cm !== undefined) return row.cm;
  const info = row.opcode === undefined ? undefined : opcodeInfo(row.opcode);
  if (!info) return row.kind === 'malformed' ? 'Malformed' : 'Unknown opcode';
  if (info.kind === 'cnp') return 'CNP';
  if (info.kind === 'ack' && row.syndrome !== undefined) {
    const type = aethType(row.syndrome);
    return `${type === AethType.NAK ? 'NAK' : type === AethType.RNR ? 'RNR NAK' : 'ACK'} ${row.psn!}`;
  }
  return `${info.operation.replace('RDMA ', '')} ${row.psn!}`;
}

class Lanes {
  readonly list: LadderLane[] = [];
  private readonly byKey = new Map<string, number>();
  private readonly perQp: boolean;

  constructor(
    analysis: Analysis,
    private readonly options: LadderOptions,
  ) {
    const mode = options.lanes ?? 'auto';
    const inOneHost = () => analysis.connections.some((c) => c.ends[0].ip === c.ends[1].ip);
    this.perQp = mode === 'qp' || (mode === 'auto' && inOneHost());
  }

  of(end: EndpointRef, row: PacketRow, isSender: boolean): number {
    const ip = plainIp(end.ip);
    // A sender with an unknown QP is still one QP: its UDP source port stays the same.
    const unknown = isSender ? `port ${row.srcPort ?? '?'}` : '?';
    const key = this.perQp ? `${ip}#${end.qpn ?? unknown}` : ip;
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const host = end.name ?? this.options.names?.[ip] ?? ip;
    const qp = end.qpn === undefined ? `UDP ${unknown}` : `QP ${hexNumber(end.qpn, 6)}`;
    const lane: LadderLane = {
      id: this.list.length,
      label: this.perQp ? `${host} ${qp}` : host,
      ip,
      ...(this.perQp && end.qpn !== undefined ? { qpn: end.qpn } : {}),
    };
    this.list.push(lane);
    this.byKey.set(key, lane.id);
    return lane.id;
  }
}
