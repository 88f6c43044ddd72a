import { Mark } from '../columns/marks.js';
import { psnDistance } from '../models/psn.js';
import type { PacketFacts } from './facts.js';
import { Messages } from './messages.js';
import { Requester } from './requester.js';
import { Sample } from './types.js';

export interface Span {
  startT: number;
  endT: number;
}

const MAX_DATAGRAMS = 4096;
const ICRC_BYTES = 4;

/** The same for both captures of a datagram. It ends with its ICRC, which two of them seldom share. */
const nameOf = ({ psn, data }: PacketFacts): string => `${psn} ${data.slice(-ICRC_BYTES).join('.')}`;

/** All packets from one address to one QP of another. An RC or UC packet does not name the QP that it comes from. */
export class Flow {
  /** The flow in the other direction. */
  peer: Flow | null = null;
  matched: 'known' | 'cm' | 'psn' | 'datagram' | 'no' = 'no';
  /** Whose requests its answers may be to, and how often they fitted. */
  votes: Map<Flow, number> | null = new Map();
  voted = 0;
  transport = '';
  /** Of the sender: on datagrams, which name it. */
  srcQp = -1;
  /** Path MTU by the CM request, and by the packets that do not end their message. */
  agreedMtu = 0;
  mtu = 0;
  readonly otherSizes = new Sample();
  otherSize = 0;
  packets = 0;
  wireBytes = 0;
  payloadBytes = 0;
  goodBytes = 0;
  /** Of packets with payload. */
  data: Span & { packets: number; wireBytes: number } = { startT: 0, endT: 0, packets: 0, wireBytes: 0 };
  startT = 0;
  endT = 0;
  lastPacket = 0;
  /** Captured as they left; then what arrives is the same packet again. */
  departures = false;
  arrivals = 0;
  readonly marked = new Sample();
  readonly cnps = new Sample();
  readonly requester = new Requester();
  readonly messages = new Messages();
  #responded = -1;
  /** Those that left, the oldest first. */
  readonly #datagrams = new Set<string>();

  constructor(
    readonly id: number,
    readonly src: number,
    readonly dst: number,
    readonly qp: number,
    readonly firstPacket: number,
  ) {}

  get pathMtu(): number {
    return this.agreedMtu || this.mtu || this.peer?.mtu || 0;
  }

  /** Counts a packet; false for the arrival of one that the capture holds as it left. */
  count(p: PacketFacts): boolean {
    if (p.direction === 'out') this.#leaves(p);
    else if (p.direction === 'in' && this.#left(p)) {
      this.arrivals++;
      p.marks |= Mark.copy;
      return false;
    }
    if (this.packets++ === 0) this.startT = p.t;
    this.startT = Math.min(this.startT, p.t);
    this.endT = Math.max(this.endT, p.t);
    this.lastPacket = p.number;
    this.wireBytes += p.original;
    if (p.ecn === 3) this.marked.add(p.number);
    if (p.kind === 'cnp') this.cnps.add(p.number);
    return true;
  }

  #leaves(p: PacketFacts): void {
    this.departures = true;
    if (p.info?.transport !== 'UD') return;
    this.#datagrams.add(nameOf(p));
    // What never arrives here must not fill the memory: the oldest goes.
    if (this.#datagrams.size > MAX_DATAGRAMS) this.#datagrams.delete(this.#datagrams.values().next().value!);
  }

  /**
   * Whether the capture holds the packet as it left. Two programs may send datagrams from one address and one QPN (QP 1),
   * so of those it has to be the same one.
   */
  #left(p: PacketFacts): boolean {
    return p.info?.transport === 'UD' ? this.#datagrams.has(nameOf(p)) : this.departures;
  }

  /** Counts a request and its payload. */
  request(p: PacketFacts, fresh: boolean): void {
    this.payload(p, fresh);
    if (fresh) this.messages.see(p);
  }

  /** Counts payload. `fresh`: the capture did not hold it yet. */
  payload(p: PacketFacts, fresh: boolean): void {
    if (p.payload === 0) return;
    this.payloadBytes += p.payload;
    if (fresh) this.goodBytes += p.payload;
    const { data } = this;
    if (data.packets++ === 0) data.startT = data.endT = p.t;
    data.startT = Math.min(data.startT, p.t);
    data.endT = Math.max(data.endT, p.t);
    data.wireBytes += p.original;
    if (p.info!.last) return;
    if (this.mtu === 0) this.mtu = p.payload;
    else if (p.payload !== this.mtu) {
      this.otherSize = p.payload;
      this.otherSizes.add(p.number);
    }
  }

  /** Whether a response carries payload that no earlier one did. */
  freshResponse(psn: number): boolean {
    if (this.#responded >= 0 && psnDistance(this.#responded, psn) <= 0) return false;
    this.#responded = psn;
    return true;
  }
}
