/** Packets of one connection between two times, as a recording has them. */
import { aethType, AethType, NAK_NAMES, opcodeInfo, psnDistance, RNR_TIMER_US } from '@verbslab/roce';
import type { Analysis, OpcodeInfo, PacketRow } from '@verbslab/roce';
import { runPackets, type RunPackets } from '../packet-rows';
import type { RunModel } from '../run-model';
import { acceptPackets } from './accept-packets';
import { placeBetween } from './place-between';
import type { PacketEvent, RecordedRange } from './recording';
import { otherSide, SIDES, type PacketKind, type Side } from './state';

/** Most packets of a recording: the first ones, and the last ones. */
const FIRST = 100;
const LAST = 30;
/** Bytes before the payload of a datagram in the buffer of its RECV. */
const GRH_BYTES = 40;

/** What a message moves: memory that its payload goes into. */
export interface MessageMemory {
  request: string;
  /** At the peer, for the payload of its requests; null if not recorded. */
  to: RecordedRange | null;
  /** At the requester, for the payload of its responses. */
  back: RecordedRange | null;
  /** When a later event proves that it arrived, without an answer: the RECV's completion. */
  provenBy: number | null;
}

export interface PacketWindow {
  run: RunModel;
  analysis: Analysis;
  /** Connection of the messages in the analysis, and its end on the client's side. */
  connection: number;
  clientEnd: 0 | 1;
  /** QPNs of both ends; null for an end that is not recorded. */
  qpns: Readonly<Record<Side, number | null>>;
  /** Run times of the recording. */
  from: number;
  to: number;
  mtu: number | null;
  /** Indices of packets, if others of the connection are to be left out. */
  only?: ReadonlySet<number>;
  memoryOf: (message: number) => MessageMemory | null;
  regionAt: (side: Side, rkey: number) => { id: string; address: number } | null;
}

/** A packet while its times are being found. */
export interface Draft extends PacketEvent {
  /** First PSN of its message, and whether it is a request. */
  request: string | null;
  asks: boolean;
  transport: string;
  first: boolean;
  /** PSNs that it takes. */
  psns: number;
  nak: 'ack' | 'nak' | 'rnr' | null;
}

const CM_NAMES: Readonly<Record<string, string>> = {
  ...{ ConnectRequest: 'REQ', ConnectReply: 'REP', ReadyToUse: 'RTU', ConnectReject: 'REJ' },
  ...{ DisconnectRequest: 'DREQ', DisconnectReply: 'DREP', MsgRcptAck: 'MRA' },
};

export function labelOf(row: PacketRow, info: OpcodeInfo | undefined): string {
  if (row.cm !== undefined) return CM_NAMES[row.cm] ?? row.cm;
  if (!info) return 'Packet';
  if (info.kind === 'ack' && row.syndrome !== undefined) {
    const type = aethType(row.syndrome);
    if (type === AethType.RNR) return 'RNR NAK';
    return type === AethType.NAK ? `NAK 0x${row.syndrome.toString(16)}` : 'ACK';
  }
  const name = info.operation.replace('RDMA ', '').replace(' with Immediate', ', imm');
  if (info.kind === 'read-request') return 'READ request';
  // A piece of a message needs no verb: the title has it.
  const piece = /\b(First|Middle|Last)\b(.*)$/.exec(name);
  if (piece) return `${piece[1]}${piece[2]}`;
  return info.kind === 'read-response' ? 'Response' : name;
}

function kindOf(info: OpcodeInfo | undefined, nak: Draft['nak']): PacketKind {
  if (nak === 'nak' || nak === 'rnr') return 'nak';
  if (info?.kind === 'ack' || info?.kind === 'cnp') return 'ack';
  return info?.kind === 'read-request' || info?.kind === 'atomic' ? 'request' : 'data';
}

function nakOf({ syndrome }: PacketRow, info: OpcodeInfo | undefined): Draft['nak'] {
  if (info?.kind !== 'ack' || syndrome === undefined) return null;
  const type = aethType(syndrome);
  return type === AethType.NAK ? 'nak' : type === AethType.RNR ? 'rnr' : 'ack';
}

function refusalOf({ syndrome = 0 }: PacketRow, nak: Draft['nak']): Pick<PacketEvent, 'refusal' | 'wait'> {
  const low = syndrome & 0x1f;
  if (nak === 'nak') return { refusal: NAK_NAMES[low]?.toLowerCase() ?? null, wait: null };
  if (nak === 'rnr') return { refusal: 'receiver not ready', wait: (RNR_TIMER_US[low] ?? 0) * 1000 };
  return { refusal: null, wait: null };
}

export const AT_ZERO = { t: 0, from: 0, to: 0, proven: false, taken: false };

function draftOf(window: PacketWindow, rows: RunPackets, index: number, arrival: number | null): Draft {
  const { analysis, mtu, memoryOf } = window;
  const row = analysis.rows[index]!;
  const info = row.opcode === undefined ? undefined : opcodeInfo(row.opcode);
  const side = senderOf(window, index)!;
  const lost = rows.lost(index);
  const out = row.direction !== 'in';
  const nak = nakOf(row, info);
  const asks = info?.request ?? false;
  const message = analysis.messageOf[index]!;
  const memory = message < 0 || nak === 'ack' || nak === 'nak' || nak === 'rnr' ? null : memoryOf(message);
  const atomic = info?.kind === 'atomic' || info?.kind === 'atomic-ack';
  const firstPsn =
    message < 0 ? undefined : analysis.rows[analysis.messages[message]!.requests[0] ?? -1]?.psn;
  const step = firstPsn === undefined || row.psn === undefined ? 0 : psnDistance(firstPsn, row.psn);
  const target = (asks ? memory?.to : memory?.back) ?? null;
  const bytes = info?.kind === 'atomic-ack' ? 8 : row.payloadLength;
  const skip = step === 0 ? 0 : mtu === null ? NaN : step * mtu;
  const head = info?.transport === 'UD' ? GRH_BYTES : 0;
  const reads = info?.kind === 'read-request';
  return {
    ...AT_ZERO,
    ...{ kind: 'packet', id: `p${index}`, side, sent: out ? row.t : null, lost },
    arrived: lost ? null : out ? arrival : row.t,
    again: (analysis.marks.get(index) ?? []).some((mark) => mark === 'retransmission'),
    packet: kindOf(info, nak),
    label: labelOf(row, info),
    psn: row.cm === undefined ? (row.psn ?? null) : null,
    bytes,
    request: memory?.request ?? null,
    into:
      target && bytes > 0 && info?.kind !== 'atomic' && Number.isFinite(skip)
        ? { region: target.region, offset: target.offset + skip + head }
        : null,
    reth: rethOf(window, otherSide(side), row, atomic),
    ...refusalOf(row, nak),
    ...{ asks, transport: info?.transport ?? '', first: info?.first ?? true, nak },
    psns: reads && mtu !== null ? Math.max(1, Math.ceil((row.dmaLength ?? 0) / mtu)) : 1,
  };
}

function rethOf(
  { regionAt }: PacketWindow,
  receiver: Side,
  { va, rkey, dmaLength }: PacketRow,
  atomic: boolean,
): PacketEvent['reth'] {
  if (va === undefined || rkey === undefined) return null;
  const region = regionAt(receiver, rkey);
  return {
    region: region?.id ?? null,
    offset: region ? Number(va) - region.address : null,
    bytes: atomic ? 8 : (dmaLength ?? 0),
  };
}

/** The side that sent a packet, by the QP that it names; null for a packet of other queue pairs. */
function senderOf({ analysis, connection, clientEnd, qpns }: PacketWindow, index: number): Side | null {
  const { destQp } = analysis.rows[index]!;
  const to = SIDES.filter((side) => qpns[side] !== null && qpns[side] === destQp);
  if (to.length === 1) return otherSide(to[0]!);
  // Both hosts use one number: the analysis tells their packets apart.
  if (to.length === 0 || analysis.connectionOf[index] !== connection) return null;
  return analysis.senderOf[index] === clientEnd ? 'client' : 'server';
}

/** Times of arrivals by the index of the departure. */
export function arrivalsOf({ departureOf, rows }: Analysis): Map<number, number> {
  const found = new Map<number, number>();
  departureOf.forEach((departure, i) => {
    // Two taps of one address may both see a datagram arrive.
    if (departure >= 0) found.set(departure, Math.min(rows[i]!.t, found.get(departure) ?? Infinity));
  });
  return found;
}

/** Packets of the connection in the window, in order of time, with run times. */
export function recordedPackets(window: PacketWindow): PacketEvent[] {
  const { run, analysis, from, to, only, memoryOf } = window;
  const rows = runPackets(run.packets);
  const arrivals = arrivalsOf(analysis);
  const inside: number[] = [];
  analysis.rows.forEach((row, i) => {
    if (row.t < from || row.t > to || senderOf(window, i) === null) return;
    if (only && !only.has(i)) return;
    // The arrival of a packet that was captured as it left is not another packet.
    if (analysis.departureOf[i]! < 0) inside.push(i);
  });
  const shown = inside.length > FIRST + LAST ? [...inside.slice(0, FIRST), ...inside.slice(-LAST)] : inside;
  const drafts = shown.map((i) => draftOf(window, rows, i, arrivals.get(i) ?? null));
  countFromFirst(drafts);
  placeBetween(drafts, window.to, (one) => {
    const message = analysis.messageOf[Number(one.id.slice(1))]!;
    return message < 0 ? null : (memoryOf(message)?.provenBy ?? null);
  });
  acceptPackets(drafts);
  return drafts.map(finished);
}

/** Makes PSNs relative to the first request of the requester that they belong to. */
function countFromFirst(drafts: readonly Draft[]): void {
  const bases = new Map<Side, number>();
  for (const { asks, side, psn } of drafts)
    if (asks && psn !== null && !bases.has(side)) bases.set(side, psn);
  for (const one of drafts) {
    const base = bases.get(one.asks ? one.side : otherSide(one.side));
    if (one.psn !== null) one.psn = base === undefined ? null : psnDistance(base, one.psn);
  }
}

export function finished({
  asks: _asks,
  transport: _transport,
  first: _first,
  psns: _psns,
  nak: _nak,
  ...event
}: Draft): PacketEvent {
  return event;
}
