/** Conversations of the connection managers, one per connection, from a capture at the client. Pure functions. */
import type { PacketSummary } from '@verbslab/protocol';
import { decodePacket, LinkType, MAD_HEADER_LENGTH, type Field } from '@verbslab/roce';

/** Messages that connect and disconnect, in their order. */
export const CM_ORDER = [
  'ConnectRequest',
  'ConnectReply',
  'ReadyToUse',
  'DisconnectRequest',
  'DisconnectReply',
] as const;

export interface CmMessage {
  name: string;
  direction: PacketSummary['direction'];
  /** Time of the first copy, ns on the run's clock. */
  t: number;
  /** Time of the last copy, ns on the run's clock. */
  lastT: number;
  /** Bytes of the IP packet. */
  length: number;
  /** Copies after the first. */
  repeated: number;
  /** Fields of the message, of the addresses in a request, and of its private data. */
  fields: Field[];
}

export interface Conversation {
  /** The client’s communication ID. */
  id: number;
  messages: CmMessage[];
}

const LAYERS = ['cm', 'ipcm'];

/** Messages that begin a conversation: of connections, and of datagram services. */
const FIRST = ['ConnectRequest', 'ServiceIDResReq'];
/** Answer of a datagram service. It names the request's ID first, where other messages name the sender's own. */
const SERVICE_ANSWER = 'ServiceIDResReqResp';

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const wordAt = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);

/** Both communication IDs are at the beginning of every message. */
function idsOf(bytes: Uint8Array, payload: number): { local: number; remote: number } {
  const at = payload + MAD_HEADER_LENGTH;
  return { local: wordAt(bytes, at), remote: wordAt(bytes, at + 4) };
}

/**
 * Connections and services that the client asked for, the oldest first; messages by time. The packets need their bytes.
 * A copy of the client’s own request, which a process of its host may pass on, does not count as a message to it.
 */
export function conversations(packets: readonly PacketSummary[]): Conversation[] {
  const found = new Map<number, Conversation>();
  for (const { cm, hex, direction, t = 0, length = 0 } of packets) {
    if (cm === undefined || hex === undefined) continue;
    const { layers, summary } = decodePacket(bytesOf(hex), LinkType.RAW, { icrc: false });
    const { local, remote } = idsOf(bytesOf(hex), summary.payloadOffset);
    const id = direction === 'sent' || cm === SERVICE_ANSWER ? local : remote;
    if (FIRST.includes(cm) && direction === 'sent' && !found.has(id)) found.set(id, { id, messages: [] });
    const messages = found.get(id)?.messages;
    if (!messages) continue;
    const known = messages.find((one) => one.name === cm && one.direction === direction);
    if (known) {
      known.repeated++;
      known.lastT = Math.max(known.lastT, t);
      continue;
    }
    const fields = layers.filter((layer) => LAYERS.includes(layer.id)).flatMap((layer) => layer.fields);
    messages.push({ name: cm, direction, t, lastT: t, length, repeated: 0, fields });
  }
  for (const { messages } of found.values()) messages.sort((a, b) => a.t - b.t);
  return [...found.values()];
}

const RECEIPT = 'MsgRcptAck';

/** Messages without the receipts by which a late end asks for more time. */
export const withoutReceipts = ({ messages }: Conversation): CmMessage[] =>
  messages.filter(({ name }) => name !== RECEIPT);

/** True if an end was late: it asked for more time, or the other end sent a message again. */
export const wasLate = (all: readonly Conversation[]): boolean =>
  all.some(({ messages }) => messages.some(({ name, repeated }) => name === RECEIPT || repeated > 0));

export const messageOf = ({ messages }: Conversation, name: string): CmMessage | undefined =>
  messages.find((one) => one.name === name);

/** Value of a field by Wireshark’s name; undefined where the message has none. */
export const valueOf = (message: CmMessage | undefined, name: string): Field['value'] | undefined =>
  message?.fields.find((field) => field.name === name)?.value;

/** Private data of the program, without the addresses before it, as hex. */
export function privateDataOf(message: CmMessage | undefined): string {
  const data = message?.fields.findLast(({ name }) => name.endsWith('.private'))?.value;
  return data instanceof Uint8Array
    ? Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')
    : '';
}
