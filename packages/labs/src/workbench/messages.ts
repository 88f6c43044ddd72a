/** The messages that a program’s packets carried: the requests to each queue pair, and the responses. */
import type { PacketRecord } from '@verbslab/protocol';
import {
  AethType,
  aethType,
  atomicacketh,
  atomiceth,
  decodePacket,
  LinkType,
  opcodeInfo,
  psnDistance,
  type DecodedPacket,
  type FieldTable,
  type Header,
  type MessageKind,
  type ValueOf,
} from '@verbslab/roce';

export interface Message {
  kind: MessageKind;
  /** QPN of the sender; null where no QP has the receiver as its peer. */
  from: number | null;
  /** QPN of the receiver. */
  to: number;
  /** PSN of the first packet. */
  psn: number;
  /** Bytes that the message moves: its payload, or the length that a READ asks for. */
  length: number;
  /** Bytes that reached the receiver, or for a READ came back, as far as they were captured. */
  payload: Uint8Array;
  /** Null if it has none. Host order. */
  imm: number | null;
  /** Target of a WRITE, READ or atomic; null for others. */
  remote: { addr: bigint; rkey: number } | null;
  atomic: { swapOrAdd: bigint; compare: bigint; original: bigint | null } | null;
  /** The receiver acknowledged it: for a SEND, a receive has taken it. */
  acked: boolean;
}

/** `packets`: as sent, by time. `peerOf`: the QPN at the other end of a queue pair. */
export function readMessages(
  packets: readonly PacketRecord[],
  peerOf: (qpn: number) => number | undefined,
): { messages: Message[]; rnrNaks: number } {
  const messages: Message[] = [];
  const seen = new Set<string>();
  let rnrNaks = 0;
  for (const { bytes } of packets) {
    const packet = decodePacket(bytes, LinkType.RAW, { icrc: false });
    const { opcode, destQp, psn, syndrome } = packet.summary;
    const info = opcode === undefined ? undefined : opcodeInfo(opcode);
    if (!info || destQp === undefined || psn === undefined) continue;
    if (syndrome !== undefined && aethType(syndrome) === AethType.RNR) rnrNaks++;
    // A retransmission says nothing new.
    const key = `${String(info.request)} ${String(destQp)} ${String(psn)} ${String(opcode)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (info.request) takeRequest(messages, packet, bytes, peerOf(destQp) ?? null);
    else takeResponse(messages, packet, bytes);
  }
  return { messages, rnrNaks };
}

function takeRequest(
  messages: Message[],
  packet: DecodedPacket,
  bytes: Uint8Array,
  from: number | null,
): void {
  const { opcode, destQp, psn, va, rkey, dmaLength, imm } = packet.summary;
  const { message: kind, first } = opcodeInfo(opcode!)!;
  const payload = payloadOf(packet, bytes);
  if (!first) {
    const begun = messages.findLast(({ to }) => to === destQp);
    if (!begun) return;
    begun.payload = joined(begun.payload, payload);
    begun.length = Math.max(begun.length, begun.payload.length);
    // The last packet has the immediate, and with it the kind.
    begun.imm ??= imm ?? null;
    begun.kind = kind ?? begun.kind;
    return;
  }
  if (kind === undefined) return;
  const operands = headerOf(packet, bytes, atomiceth);
  messages.push({
    kind,
    from,
    to: destQp!,
    psn: psn!,
    length: operands ? ATOMIC_BYTES : (dmaLength ?? payload.length),
    payload,
    imm: imm ?? null,
    remote: va === undefined || rkey === undefined ? null : { addr: va, rkey },
    atomic: operands && { swapOrAdd: operands.swapOrAdd, compare: operands.compare, original: null },
    acked: false,
  });
}

/** PSNs go on from 0 after the last one. */
const reaches = (psn: number, message: Message): boolean => psnDistance(message.psn, psn) >= 0;

/** Takes the response to a READ or an atomic. Responses of a READ count on from the PSN of its request. */
function takeResponse(messages: Message[], packet: DecodedPacket, bytes: Uint8Array): void {
  const { destQp, psn, syndrome } = packet.summary;
  // An acknowledgment covers everything before it, too.
  if (syndrome !== undefined && aethType(syndrome) === AethType.ACK)
    for (const one of messages) if (one.from === destQp && reaches(psn!, one)) one.acked = true;
  const answered = messages.findLast(
    (one) => one.from === destQp && (one.kind === 'RDMA READ' ? reaches(psn!, one) : one.psn === psn),
  );
  if (!answered) return;
  if (answered.kind === 'RDMA READ') answered.payload = joined(answered.payload, payloadOf(packet, bytes));
  const answer = headerOf(packet, bytes, atomicacketh);
  if (answered.atomic && answer) answered.atomic.original = answer.original;
}

const ATOMIC_BYTES = 8;

function headerOf<F extends FieldTable>(
  { layers }: DecodedPacket,
  bytes: Uint8Array,
  header: Header<F>,
): ValueOf<F> | null {
  const layer = layers.find(({ id }) => id === header.id);
  return layer ? header.parse(bytes, layer.offset) : null;
}

function payloadOf({ summary }: DecodedPacket, bytes: Uint8Array): Uint8Array {
  const from = summary.payloadOffset;
  return bytes.subarray(from, Math.min(bytes.length, from + summary.payloadLength));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
