/** The times of work requests, compared with those of their captured packets. */
import type { EventBody, PacketRecord } from '@verbslab/protocol';
import { LinkType, psnDistance, PSN_MODULUS, summarizePacket } from '@verbslab/roce';
import { expect } from 'vitest';

type EventLike = EventBody & { endpoint?: string | undefined };
type BodyOf<K extends EventBody['kind']> = Extract<EventBody, { kind: K }>;

/** BTH opcodes of responses without the service: READ responses, ACK and atomic ACK. All others are requests. */
const RESPONSES = { first: 0x0d, acknowledge: 0x11, last: 0x12 };
const MIDDLE_OF_A_RESPONSE = 0x0e;
const NAK_BITS = 0x60;

interface Seen {
  t: number;
  response: boolean;
  /** True if the packet acknowledges the PSNs up to its own. */
  acknowledges: boolean;
  destQp: number;
  /** Present in datagrams only. */
  srcQp?: number;
  psn: number;
}

function look({ t, bytes }: PacketRecord): Seen {
  const { opcode = 0, destQp = -1, srcQp, psn = -1, syndrome = 0 } = summarizePacket(bytes, LinkType.RAW);
  const kind = opcode & 0x1f;
  const response = kind >= RESPONSES.first && kind <= RESPONSES.last;
  const negative = kind === RESPONSES.acknowledge && (syndrome & NAK_BITS) !== 0;
  const acknowledges = response && !negative && kind !== MIDDLE_OF_A_RESPONSE && kind !== RESPONSES.first;
  return { t, response, acknowledges, destQp, ...(srcQp === undefined ? {} : { srcQp }), psn };
}

/**
 * Expects that every work request of an endpoint's queue pairs has the times of its packets, in order: posted, first
 * packet out, last packet out, the packet that answered it, acknowledged, CQE, polled. `packets` are all packets that
 * the endpoint sent and received. Returns the number of requests.
 */
export function expectTimesOfPackets(events: readonly EventLike[], packets: readonly PacketRecord[]): number {
  const sent = packets.filter(({ direction }) => direction === 'sent').map(look);
  const received = packets.filter(({ direction }) => direction === 'received').map(look);
  const attributes = new Map<number, Record<string, unknown>>();
  const requests = new Map<number, BodyOf<'wr'>[]>();
  for (const event of events) {
    if (event.kind === 'qp') attributes.set(event.qpn, { ...attributes.get(event.qpn), ...event.attrs });
    if (event.kind === 'wr') requests.set(event.qpn, [...(requests.get(event.qpn) ?? []), event]);
  }
  let count = 0;
  for (const [qpn, list] of requests) {
    const { dest_qp_num: peer, sq_psn: begin, path_mtu: mtu } = attributes.get(qpn) ?? {};
    let psn = Number(begin);
    for (const wr of list.sort((a, b) => a.posted - b.posted)) {
      const datagram = peer === undefined;
      const single = datagram || wr.opcode.startsWith('ATOMIC');
      const end = psn + (single ? 1 : Math.max(1, Math.ceil(wr.byteLen / Number(mtu))));
      const out = sent
        .filter((p) => !p.response && (datagram ? p.srcQp === qpn : p.destQp === peer))
        .map((p) => ({ ...p, at: psnDistance(psn % PSN_MODULUS, p.psn) }))
        .filter(({ at }) => at >= 0 && at < end - psn);
      const highest = Math.max(...out.map(({ at }) => at));
      const first = out.find(({ at }) => at === 0)?.t;
      const last = out.findLast(({ at }) => at === highest)?.t;
      const covers = (p: Seen): boolean =>
        p.acknowledges && p.destQp === qpn && psnDistance((end - 1) % PSN_MODULUS, p.psn) >= 0;
      const answer = datagram ? null : received.find(covers)?.t;
      const where = `${wr.opcode} of ${wr.byteLen} bytes, PSN ${psn}, QP ${qpn}`;
      expect({ first: wr.firstTx, last: wr.lastTx }, where).toEqual({ first, last });
      const times = [wr.posted, wr.firstTx, wr.lastTx, answer, wr.acked, wr.cqe, wr.polled];
      const known = times.filter((t) => t !== null);
      expect(known, where).not.toContain(undefined);
      expect(known, where).toEqual([...known].sort((a, b) => a! - b!));
      psn = end;
      count++;
    }
  }
  return count;
}
