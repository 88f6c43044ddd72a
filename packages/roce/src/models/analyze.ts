import { opcodeInfo } from '../base/opcodes.js';
import type {
  Analysis,
  AnalysisOptions,
  ConnectionSummary,
  Message,
  PacketMark,
  PacketRow,
} from './types.js';
import { groupConnections } from './connections.js';
import type { Connection, Grouping } from './connections.js';
import { Requester } from './requester.js';

/**
 * Finds connections, messages, retransmissions, and the answers to requests. Rows must be in time order and
 * `rows[i].index` must be `i`, as `packetRows` gives them. One pass over the rows finds the connections and another
 * one the rest: a hundred thousand packets take a fraction of a second.
 */
export function analyze(rows: PacketRow[], options: AnalysisOptions = {}): Analysis {
  const grouping = groupConnections(rows, options.connections);
  const messages: Message[] = [];
  const states = grouping.connections.map((c) => new ConnectionState(c, messages));
  const analysis: Analysis = {
    rows,
    connectionOf: new Int32Array(rows.length).fill(-1),
    senderOf: new Int8Array(rows.length).fill(-1),
    messageOf: new Int32Array(rows.length).fill(-1),
    departureOf: new Int32Array(rows.length).fill(-1),
    psnOf: new Float64Array(rows.length).fill(NaN),
    marks: new Map(),
    connections: [],
    messages,
  };
  const arrivals = findArrivals(rows, grouping);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const marks = ownMarks(row);
    const place = grouping.of[i];
    if (place) {
      const state = states[place.connection.id]!;
      analysis.connectionOf[i] = place.connection.id;
      analysis.senderOf[i] = place.sender;
      const departure = arrivals.get(i);
      if (departure !== undefined) {
        marks.push('copy');
        analysis.messageOf[i] = analysis.messageOf[departure] ?? -1;
        analysis.departureOf[i] = departure;
        analysis.marks.set(i, marks);
        continue;
      }
      const result = state.packet(row, place.sender);
      if (result) {
        analysis.messageOf[i] = result.message;
        analysis.psnOf[i] = result.psn;
        marks.push(...result.marks);
      }
    }
    if (marks.length > 0) analysis.marks.set(i, marks);
  }
  analysis.connections = states.map((s) => s.summary());
  return analysis;
}

/**
 * A capture at both ends (two QPs of one process, a host that talks to itself) holds a packet twice: as it leaves and
 * as it arrives. Only the direction distinguishes that from a retransmission. Returns the row of the departure by the
 * row of each such arrival, -1 if the departure was not captured. Datagrams of two programs may have one address and one
 * QPN (QP 1). So a datagram is an arrival only if the same datagram was captured as it left.
 */
function findArrivals(rows: readonly PacketRow[], grouping: Grouping): Map<number, number> {
  const senders = new Set<string>();
  const datagrams = new Map<string, number>();
  rows.forEach((row, i) => {
    const place = grouping.of[i];
    if (row.direction !== 'out' || !place) return;
    if (isDatagram(row)) datagrams.set(nameOf(row, place), i);
    else senders.add(senderOf(place));
  });
  const arrivals = new Map<number, number>();
  const left = new Map<string, number>();
  rows.forEach((row, i) => {
    const place = grouping.of[i];
    if (!place || row.direction === undefined) return;
    const name = nameOf(row, place);
    if (row.direction === 'out') left.set(name, i);
    else if (isDatagram(row)) {
      const departure = datagrams.get(name);
      if (departure !== undefined) arrivals.set(i, departure);
    } else if (senders.has(senderOf(place))) arrivals.set(i, left.get(name) ?? -1);
  });
  return arrivals;
}

type Place = { connection: Connection; sender: 0 | 1 };

const senderOf = ({ connection, sender }: Place): string => `${connection.id} ${sender}`;

const isDatagram = ({ opcode }: PacketRow): boolean =>
  opcode !== undefined && opcodeInfo(opcode)?.transport === 'UD';

/** Key that both captures of a packet share. A datagram's key ends with its ICRC, which two datagrams seldom share. */
function nameOf(row: PacketRow, place: Place): string {
  const end = isDatagram(row) ? row.data.slice(-ICRC_BYTES).join('.') : '';
  return `${senderOf(place)} ${row.opcode} ${row.psn} ${end}`;
}

const ICRC_BYTES = 4;

function ownMarks(row: PacketRow): PacketMark[] {
  const marks: PacketMark[] = [];
  if (row.kind === 'malformed') marks.push('malformed');
  if (row.icrc === 'bad') marks.push('icrc-bad');
  if (row.ecn === 3) marks.push('ecn');
  if (row.kind === 'cnp') marks.push('cnp');
  return marks;
}

class ConnectionState {
  private readonly requesters: [Requester, Requester];
  private packets = 0;
  private payloadBytes = 0;
  private naks = 0;
  private rnrNaks = 0;
  private startT = Infinity;
  private endT = -Infinity;
  private datagrams = 0;

  constructor(
    private readonly connection: Connection,
    private readonly all: Message[],
  ) {
    const of = (end: 0 | 1) => new Requester(connection.id, end, connection.mtu, all);
    this.requesters = [of(0), of(1)];
  }

  packet(row: PacketRow, sender: 0 | 1): { psn: number; message: number; marks: PacketMark[] } | undefined {
    this.packets++;
    this.startT = Math.min(this.startT, row.t);
    this.endT = Math.max(this.endT, row.t);
    const info = opcodeInfo(row.opcode!);
    if (!info || info.transport === 'CNP' || row.kind === 'malformed') return undefined;
    this.payloadBytes += row.payloadLength;
    if (row.kind === 'nak') this.naks++;
    if (row.kind === 'rnr') this.rnrNaks++;
    if (!info.request) return this.requesters[sender === 0 ? 1 : 0].response(row, info);
    if (info.transport === 'UD') return this.datagram(row, sender);
    return this.requesters[sender].request(row, info);
  }

  /** Adds a datagram. Datagrams have PSNs, but the transport never misses one or sends one again. */
  private datagram(row: PacketRow, sender: 0 | 1): { psn: number; message: number; marks: PacketMark[] } {
    const message: Message = {
      id: this.all.length,
      connection: this.connection.id,
      kind: row.kind === 'cm' ? 'CM' : 'Datagram',
      from: sender,
      firstPsn: row.psn!,
      lastPsn: row.psn!,
      requests: [row.index],
      responses: [],
      bytes: row.payloadLength,
      startT: row.t,
      sentT: row.t,
      retransmissions: 0,
      status: 'sent',
    };
    this.all.push(message);
    this.datagrams++;
    return { psn: NaN, message: message.id, marks: [] };
  }

  summary(): ConnectionSummary {
    const [a, b] = this.requesters;
    const { id, ends, transport, mtu } = this.connection;
    return {
      id,
      ends,
      transport,
      packets: this.packets,
      messages: this.datagrams + a.messageCount + b.messageCount,
      payloadBytes: this.payloadBytes,
      retransmissions: a.retransmissions + b.retransmissions,
      duplicates: a.duplicates + b.duplicates,
      gaps: a.gaps + b.gaps,
      missing: [a.missing, b.missing],
      naks: this.naks,
      rnrNaks: this.rnrNaks,
      ...(mtu === undefined ? {} : { mtu }),
      basePsn: [a.line?.base ?? null, b.line?.base ?? null],
      startT: this.startT,
      endT: this.endT,
    };
  }
}
