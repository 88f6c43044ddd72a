import { qpnText } from '@verbslab/protocol';
import { PacketClass, type CaptureStreams } from '@verbslab/roce';
import type { PacketRows } from '../../model/packet-rows';

/** Packets that a requester sends, rather than gets. */
const SENT: readonly PacketClass[] = [PacketClass.request, PacketClass.retransmission];

/** Names of the requesters that have a graph: as in the list, with the address and the QP that sends. */
export const requesterLabels = (
  { requesters, streams }: CaptureStreams,
  rows: Pick<PacketRows, 'flow'>,
): string[] =>
  requesters.map(({ end: { ip, qpn } }, i) => {
    const [first] = streams.find(({ requester, of }) => requester === i && SENT.includes(of))?.packets ?? [];
    const name = first === undefined ? undefined : rows.flow(first)?.label;
    const sender = qpn === undefined ? ip : `${ip} QP ${qpnText(qpn)}`;
    return name === undefined ? sender : `${name}: ${sender}`;
  });

/** The requester that a packet belongs to; the busiest one for all others. */
export function nearestRequester({ streams }: CaptureStreams, packet: number | null): number {
  const own = packet === null ? undefined : streams.find(({ packets }) => packets.includes(packet));
  return Math.max(0, own?.requester ?? 0);
}
