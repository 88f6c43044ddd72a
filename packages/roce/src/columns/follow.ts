import { connectionFilter, wayFilter } from '../diagnosis/connection-filter.js';
import type { DiagnosedConnection } from '../diagnosis/types.js';
import { psnDistance } from '../models/psn.js';
import { opcodeInfo } from '../base/opcodes.js';
import type { IndexedCapture } from './index-capture.js';
import { Mark } from '../models/marks.js';
import { NONE } from './packet-columns.js';
import type { PacketColumns } from './packet-columns.js';

/** Packets that are searched on either side. A message of 2 GiB has two million. */
const REACH = 1 << 22;
/** RC opcodes that answer a request. */
const ANSWERS = 'infiniband.bth.opcode in {13..18}';

type Captured = Pick<IndexedCapture, 'columns' | 'addresses' | 'diagnosis'>;

/** All packets from one address to one QP of another. */
interface Way {
  src: number;
  dst: number;
  qp: number;
}

const wayOf = (c: PacketColumns, i: number): Way => ({ src: c.src[i]!, dst: c.dst[i]!, qp: c.destQp[i]! });

const infoOf = (c: PacketColumns, i: number) => (c.opcode[i] === NONE ? undefined : opcodeInfo(c.opcode[i]!));

const goes = (c: PacketColumns, i: number, { src, dst, qp }: Way): boolean =>
  c.destQp[i] === qp && c.src[i] === src && c.dst[i] === dst && c.opcode[i] !== NONE;

/** The connection of a way, and which of its ends sends. */
function connectionOf(
  { addresses, diagnosis }: Captured,
  { src, dst, qp }: Way,
): { connection: DiagnosedConnection; sender: 0 | 1 } | null {
  const [from, to] = [addresses[src], addresses[dst]];
  for (const connection of diagnosis.connections)
    for (const sender of [0, 1] as const) {
      const receiver = connection.ends[1 - sender]!;
      if (receiver.qpn === qp && receiver.ip === to && connection.ends[sender].ip === from)
        return { connection, sender };
    }
  return null;
}

/** Marks of a packet whose PSN the way already carried. All other requests, and all other answers, are in PSN order. */
const AGAIN = Mark.copy | Mark.retransmission | Mark.duplicate;

/**
 * Returns the PSN of the packet with which the message of packet `index` begins (`by` is -1) or ends (1). If that
 * packet is missing, the neighboring message gives its place. If that is missing too, the outermost captured packet
 * counts.
 */
function edge(c: PacketColumns, way: Way, index: number, by: 1 | -1): number {
  const own = c.psn[index]!;
  const { request, first, last } = infoOf(c, index)!;
  if (by < 0 ? first : last) return own;
  let found = own;
  let i = (c.marks[index]! & AGAIN) === 0 ? index : original(c, way, index);
  for (let left = REACH; i >= 0 && i < c.length && left > 0; i += by, left--) {
    if ((c.marks[i]! & AGAIN) !== 0 || !goes(c, i, way)) continue;
    const info = infoOf(c, i);
    if (info?.request !== request || by * psnDistance(own, c.psn[i]!) <= 0) continue;
    if (by < 0 ? info.last : info.first) return (c.psn[i]! - by) & 0xffffff;
    found = c.psn[i]!;
    if (by < 0 ? info.first : info.last) return found;
  }
  return found;
}

/** Index of the first copy of a repeated packet, or of the packet after which the first copy would have come. */
function original(c: PacketColumns, way: Way, index: number): number {
  const { request } = infoOf(c, index)!;
  for (let i = index - 1; i >= Math.max(0, index - REACH); i--)
    if (
      (c.marks[i]! & AGAIN) === 0 &&
      goes(c, i, way) &&
      infoOf(c, i)?.request === request &&
      psnDistance(c.psn[index]!, c.psn[i]!) <= 0
    )
      return i;
  return index;
}

/**
 * Returns the nearest packet of a way with this PSN, a request or an answer, from `index` in direction `by`; -1 if
 * none.
 */
function find(c: PacketColumns, way: Way, psn: number, request: boolean, index: number, by: 1 | -1): number {
  for (let i = index, left = REACH; i >= 0 && i < c.length && left > 0; i += by, left--)
    if (c.psn[i] === psn && goes(c, i, way) && infoOf(c, i)?.request === request) return i;
  return -1;
}

/** Returns the filter of a packet's connection; null for a packet without a connection. */
export function connectionFilterOf(capture: Captured, index: number): string | null {
  const { columns, addresses } = capture;
  if (!infoOf(columns, index)) return null;
  const way = wayOf(columns, index);
  const found = connectionOf(capture, way);
  if (found) return connectionFilter(found.connection.ends);
  const [src, dst] = [addresses[way.src], addresses[way.dst]];
  return src === undefined || dst === undefined ? null : wayFilter({ ip: src }, { ip: dst, qpn: way.qp });
}

/**
 * Returns the filter of the message that a packet belongs to or answers: its requests, retransmitted ones too, and the
 * answers with one of its PSNs. Null where the capture does not show the message.
 */
export function messageFilterOf(capture: Captured, index: number): string | null {
  const { columns: c, addresses } = capture;
  const info = infoOf(c, index);
  if (!info || info.transport === 'CNP' || info.transport === 'RD') return null;
  const found = connectionOf(capture, wayOf(c, index));
  if (!found) return null;
  const { ends } = found.connection;
  const requester = info.request ? found.sender : ((1 - found.sender) as 0 | 1);
  const [from, to] = [ends[requester], ends[1 - requester]!];
  const there: Way = { src: addresses.indexOf(from.ip), dst: addresses.indexOf(to.ip), qp: to.qpn ?? -1 };
  const back: Way = { src: there.dst, dst: there.src, qp: from.qpn ?? -1 };

  let request = index;
  if (!info.request) {
    const psn = info.kind === 'read-response' ? edge(c, back, index, -1) : c.psn[index]!;
    request = find(c, there, psn, true, index, -1);
    // A NAK can come before the packet that it names, if the first copy was lost.
    if (request < 0) request = find(c, there, psn, true, index, 1);
    if (request < 0) return null;
  }
  const first = edge(c, there, request, -1);
  let last = edge(c, there, request, 1);
  if (infoOf(c, request)!.kind === 'read-request') {
    const response = find(c, back, first, false, request, 1);
    if (response >= 0 && infoOf(c, response)!.kind === 'read-response') last = edge(c, back, response, 1);
  }
  const psns = `infiniband.bth.psn in {${first <= last ? `${first}..${last}` : `${first}..16777215, 0..${last}`}}`;
  const requests = `(${wayFilter(from, to)} && !(${ANSWERS}) && ${psns})`;
  const answers = wayFilter(to, from);
  return info.transport === 'RC' && answers !== null
    ? `${requests} || (${answers} && ${ANSWERS} && ${psns})`
    : requests;
}
