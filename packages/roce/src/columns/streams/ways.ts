import type { EndpointRef } from '../../models/types.js';
import type { IndexedCapture } from '../index-capture.js';
import type { PacketColumns } from '../packet-columns.js';
import { PACKET_CLASSES } from './packet-class.js';
import { Places } from './places.js';

/** An end of a connection as a sender of requests. Answers count with the end that sent the request. */
export interface Requester {
  end: EndpointRef;
  connection: number;
  /** Number of packets that it sent and received. */
  packets: number;
  requests: number;
  places: Places;
}

/** All packets from one address to one QP of another. */
export interface Way {
  /** Place in the list of all ways. */
  index: number;
  from: EndpointRef;
  to: EndpointRef;
  packets: number;
  /**
   * Requesters at the sender and at the receiver (whose requests this way answers); null if the connection is unknown.
   */
  own: Requester | null;
  other: Requester | null;
  /** Number of the stream that each class of packet goes to; -1 before the first one. */
  streams: Int32Array;
}

/** Above any index of an address: see Addresses. */
const ADDRESSES = 1 << 16;
const keyOf = (src: number, dst: number): number => src * ADDRESSES + dst;

/** The ways of a capture, and their requesters. */
export class Ways {
  readonly all: Way[] = [];
  readonly requesters: Requester[] = [];
  readonly #byHosts = new Map<number, Map<number, Way>>();
  readonly #requesters = new Map<string, Requester>();
  readonly #addresses: readonly string[];
  readonly #ends = new Map<
    string,
    { connection: number; sender: 0 | 1; from: EndpointRef; to: EndpointRef }
  >();
  /** The last two ways: packets come in runs on one way, and their answers on another. */
  #last = { src: -1, dst: -1, qp: -1, way: null as Way | null };
  #before = { src: -1, dst: -1, qp: -1, way: null as Way | null };

  constructor({ addresses, diagnosis }: Pick<IndexedCapture, 'addresses' | 'diagnosis'>) {
    this.#addresses = addresses;
    for (const { id, ends } of diagnosis.connections)
      for (const sender of [0, 1] as const) {
        const [from, to] = [ends[sender], ends[1 - sender]!];
        if (to.qpn === undefined) continue;
        this.#ends.set(`${from.ip} ${to.ip} ${to.qpn}`, { connection: id, sender, from, to });
      }
  }

  /** The way of a packet with a BTH; null where its addresses are not known. */
  of(c: PacketColumns, i: number): Way | null {
    const [src, dst, qp] = [c.src[i]!, c.dst[i]!, c.destQp[i]!];
    const last = this.#last;
    if (last.qp === qp && last.src === src && last.dst === dst) return last.way;
    const before = this.#before;
    this.#before = last;
    this.#last = before;
    if (before.qp === qp && before.src === src && before.dst === dst) return before.way;
    before.src = src;
    before.dst = dst;
    before.qp = qp;
    return (before.way = this.#find(src, dst, qp));
  }

  #find(src: number, dst: number, qp: number): Way | null {
    const [from, to] = [this.#addresses[src], this.#addresses[dst]];
    if (from === undefined || to === undefined) return null;
    const key = keyOf(src, dst);
    let between = this.#byHosts.get(key);
    if (!between) this.#byHosts.set(key, (between = new Map<number, Way>()));
    let way = between.get(qp);
    if (way) return way;
    const found = this.#ends.get(`${from} ${to} ${qp}`);
    way = {
      index: this.all.length,
      from: found?.from ?? { ip: from },
      to: found?.to ?? { ip: to, qpn: qp },
      packets: 0,
      own: found ? this.#requester(found.connection, found.sender, found.from) : null,
      other: found ? this.#requester(found.connection, (1 - found.sender) as 0 | 1, found.to) : null,
      streams: new Int32Array(PACKET_CLASSES).fill(-1),
    };
    between.set(qp, way);
    this.all.push(way);
    return way;
  }

  #requester(connection: number, which: 0 | 1, end: EndpointRef): Requester {
    const key = `${connection} ${which}`;
    let requester = this.#requesters.get(key);
    if (!requester) {
      requester = { end, connection, packets: 0, requests: 0, places: new Places() };
      this.#requesters.set(key, requester);
      this.requesters.push(requester);
    }
    return requester;
  }
}
