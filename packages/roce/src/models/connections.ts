import { readConnect } from '../cm/connect.js';
import { opcodeInfo } from '../base/opcodes.js';
import type { EndpointRef, KnownConnection, PacketRow } from './types.js';

/**
 * Grouping of packets into connections.
 *
 * An RC or UC packet names the QP it goes to, but not the one it comes from. So each (source, destination, QP) is a
 * one-way stream at first. Two streams are joined when something ties them together: the caller knows the connection;
 * a CM exchange in the capture names both QPs; or the responses of one stream repeat the PSNs of the requests of the
 * other (starting PSNs are random, so a few agreements are proof enough). The remaining streams are joined only if
 * there is no other candidate. Datagrams name both QPs.
 */
export interface Stream {
  src: string;
  dst: string;
  destQp: number;
  transport: string;
  firstRow: number;
  requestPsns: Set<number>;
  largestPayload: number;
  partner?: Stream;
  connection?: Connection;
}

export interface Connection {
  id: number;
  ends: [EndpointRef, EndpointRef];
  transport: string;
  mtu?: number;
  firstRow: number;
}

export interface Grouping {
  connections: Connection[];
  /** Connection and sending end per row. Undefined for rows that are not RoCE. */
  of: ({ connection: Connection; sender: 0 | 1 } | undefined)[];
}

/** `::ffff:10.0.0.1` as a GID and `10.0.0.1` as an address are the same host. */
export const plainIp = (ip: string): string =>
  ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;

const streamKey = (src: string, dst: string, qp: number): string => `${src}>${dst}#${qp}`;

export function groupConnections(rows: PacketRow[], known: KnownConnection[] = []): Grouping {
  const streams = new Map<string, Stream>();
  const ofRow: (Stream | undefined)[] = rows.map((row) => streamOf(row, streams));
  const told = [...known.map(normalize), ...connectionsFromCm(rows)];
  for (const k of told) joinKnown(streams, k);
  joinByPsn(rows, ofRow, streams);
  joinLeftovers(streams);

  const builder = new Builder(told);
  const of = rows.map((row, i): Grouping['of'][number] => {
    const stream = ofRow[i];
    if (stream) return builder.ofStream(stream);
    return row.opcode !== undefined && row.srcQp !== undefined ? builder.ofDatagram(row) : undefined;
  });
  return { connections: builder.connections, of };
}

function normalize(k: KnownConnection): KnownConnection {
  const [a, b] = k.ends;
  return {
    ...k,
    ends: [
      { ...a, ip: plainIp(a.ip) },
      { ...b, ip: plainIp(b.ip) },
    ],
  };
}

function streamOf(row: PacketRow, streams: Map<string, Stream>): Stream | undefined {
  if (row.opcode === undefined || row.srcQp !== undefined || row.psn === undefined) return undefined;
  const info = opcodeInfo(row.opcode);
  if (!info || info.transport === 'UD' || info.transport === 'RD') return undefined;
  const src = plainIp(row.src);
  const dst = plainIp(row.dst);
  const key = streamKey(src, dst, row.destQp!);
  let stream = streams.get(key);
  if (!stream) {
    stream = {
      src,
      dst,
      destQp: row.destQp!,
      transport: '',
      firstRow: row.index,
      requestPsns: new Set(),
      largestPayload: 0,
    };
    streams.set(key, stream);
  }
  // A congestion notification belongs to the stream but does not name its transport.
  if (info.transport !== 'CNP') stream.transport ||= info.transport;
  if (info.request) stream.requestPsns.add(row.psn);
  if (!info.last && row.payloadLength > stream.largestPayload) stream.largestPayload = row.payloadLength;
  return stream;
}

/** Connections of the capture's REQs and REPs, which name the QPs of both ends and the path MTU. */
function connectionsFromCm(rows: PacketRow[]): KnownConnection[] {
  const requests = new Map<string, { qpn: number; mtu: number | undefined }>();
  const found: KnownConnection[] = [];
  for (const row of rows) {
    const message = row.cm === undefined ? null : readConnect(row.data, row.payloadOffset);
    if (message?.kind === 'REQ') {
      requests.set(`${plainIp(row.src)} ${message.localId}`, message);
    } else if (message?.kind === 'REP') {
      const request = requests.get(`${plainIp(row.dst)} ${message.remoteId}`);
      if (!request) continue;
      found.push({
        ends: [
          { ip: plainIp(row.dst), qpn: request.qpn },
          { ip: plainIp(row.src), qpn: message.qpn },
        ],
        ...(request.mtu === undefined ? {} : { mtu: request.mtu }),
      });
    }
  }
  return found;
}

function join(a: Stream, b: Stream): void {
  a.partner = b;
  b.partner = a;
}

function joinKnown(streams: Map<string, Stream>, k: KnownConnection): void {
  const [a, b] = k.ends;
  const there = streams.get(streamKey(a.ip, b.ip, b.qpn));
  const back = streams.get(streamKey(b.ip, a.ip, a.qpn));
  if (there && back && !there.partner && !back.partner && there !== back) join(there, back);
}

/** Streams that go from one host to another, by `src>dst`. */
function byHosts(streams: Iterable<Stream>): Map<string, Stream[]> {
  const found = new Map<string, Stream[]>();
  for (const s of streams) {
    const key = `${s.src}>${s.dst}`;
    const list = found.get(key);
    if (list) list.push(s);
    else found.set(key, [s]);
  }
  return found;
}

function joinByPsn(rows: PacketRow[], ofRow: (Stream | undefined)[], streams: Map<string, Stream>): void {
  const hosts = byHosts([...streams.values()].filter((s) => !s.partner && s.transport === 'RC'));
  const votes = new Map<Stream, Map<Stream, number>>();
  const decided = 16;
  const counted = new Map<Stream, number>();
  for (let i = 0; i < rows.length; i++) {
    const stream = ofRow[i];
    const row = rows[i]!;
    // A NAK may name a PSN that did not pass the place of capture.
    if (!stream || stream.partner || row.msn === undefined || row.kind === 'nak') continue;
    const n = counted.get(stream) ?? 0;
    if (n >= decided) continue;
    let voted = false;
    for (const candidate of hosts.get(`${stream.dst}>${stream.src}`) ?? []) {
      if (candidate === stream || !candidate.requestPsns.has(row.psn!)) continue;
      const mine = votes.get(stream) ?? new Map<Stream, number>();
      mine.set(candidate, (mine.get(candidate) ?? 0) + 1);
      votes.set(stream, mine);
      voted = true;
    }
    if (voted) counted.set(stream, n + 1);
  }
  const pairs = [...votes].flatMap(([a, list]) => [...list].map(([b, n]) => ({ a, b, n })));
  pairs.sort((x, y) => y.n - x.n || x.a.firstRow - y.a.firstRow || x.b.firstRow - y.b.firstRow);
  for (const { a, b } of pairs) if (!a.partner && !b.partner) join(a, b);
}

/** Joins streams that are each other's only possible partner. */
function joinLeftovers(streams: Map<string, Stream>): void {
  const left = byHosts([...streams.values()].filter((s) => !s.partner));
  for (const [key, list] of left) {
    const [src, dst] = key.split('>');
    const back = left.get(`${dst!}>${src!}`) ?? [];
    const [a, b] = src === dst ? list : [list[0], back[0]];
    const only = src === dst ? list.length === 2 : list.length === 1 && back.length === 1;
    if (
      only &&
      a &&
      b &&
      !a.partner &&
      !b.partner &&
      (a.transport === b.transport || !a.transport || !b.transport)
    )
      join(a, b);
  }
}

class Builder {
  readonly connections: Connection[] = [];
  private readonly datagrams = new Map<string, Connection>();
  constructor(private readonly told: KnownConnection[]) {}

  ofStream(stream: Stream): { connection: Connection; sender: 0 | 1 } {
    const connection = (stream.connection ??= this.fromStream(stream));
    const isFirst = sameEnd(connection.ends[1], { ip: stream.dst, qpn: stream.destQp });
    return { connection, sender: isFirst ? 0 : 1 };
  }

  private fromStream(stream: Stream): Connection {
    const { partner } = stream;
    const told = this.told.find((k) => matches(k, stream));
    const receiver: EndpointRef = { ip: stream.dst, qpn: stream.destQp };
    let sender: EndpointRef = { ip: stream.src, ...(partner ? { qpn: partner.destQp } : {}) };
    let named = receiver;
    if (told) {
      const [a, b] = told.ends;
      [sender, named] = sameEnd(b, receiver) ? [a, b] : [b, a];
    }
    const mtu = told?.mtu ?? Math.max(stream.largestPayload, partner?.largestPayload ?? 0);
    const connection = this.add({
      ends: [sender, named],
      transport: stream.transport || partner?.transport || 'RC',
      ...(mtu > 0 ? { mtu } : {}),
      firstRow: Math.min(stream.firstRow, partner?.firstRow ?? Infinity),
    });
    if (partner) partner.connection = connection;
    return connection;
  }

  ofDatagram(row: PacketRow): { connection: Connection; sender: 0 | 1 } {
    const from: EndpointRef = { ip: plainIp(row.src), qpn: row.srcQp! };
    const to: EndpointRef = { ip: plainIp(row.dst), qpn: row.destQp! };
    const forward = `${from.ip}#${from.qpn}>${to.ip}#${to.qpn}`;
    const backward = `${to.ip}#${to.qpn}>${from.ip}#${from.qpn}`;
    const there = this.datagrams.get(forward);
    if (there) return { connection: there, sender: 0 };
    const back = this.datagrams.get(backward);
    if (back) return { connection: back, sender: 1 };
    const connection = this.add({
      ends: [from, to],
      transport: opcodeInfo(row.opcode!)?.transport ?? 'UD',
      firstRow: row.index,
    });
    this.datagrams.set(forward, connection);
    return { connection, sender: 0 };
  }

  private add(c: Omit<Connection, 'id'>): Connection {
    const connection = { ...c, id: this.connections.length };
    this.connections.push(connection);
    return connection;
  }
}

const sameEnd = (a: EndpointRef, b: EndpointRef): boolean => a.ip === b.ip && a.qpn === b.qpn;

function matches(k: KnownConnection, s: Stream): boolean {
  const [a, b] = k.ends;
  const goes = (from: EndpointRef, to: EndpointRef) =>
    from.ip === s.src && sameEnd(to, { ip: s.dst, qpn: s.destQp });
  return goes(a, b) || goes(b, a);
}
