import { psnDistance } from '../models/psn.js';
import type { PacketFacts } from './facts.js';
import { Messages } from './messages.js';
import { Requester } from './requester.js';
import { Sample } from '../base/sample.js';

export interface Span {
  startT: number;
  endT: number;
}

/** Limit of responses that are kept one by one. Only the highest of later ones is kept. */
const EARLY = 1024;

/** Limit of NAKs and RNR NAKs that are kept until their requester is known. */
const EARLY_ASKS = 4096;

export interface EarlyAsk {
  psn: number;
  t: number;
  number: number;
  syndrome: number;
}

/** All packets from one address to one QP of another. RC and UC packets do not name the QP of the sender. */
export class Flow {
  /** The flow in the other direction. */
  peer: Flow | null = null;
  matched: 'known' | 'cm' | 'psn' | 'datagram' | 'no' = 'no';
  /** True if other flows have PSNs so close that these answers may be to their requests. */
  contested = false;
  /** Candidates for the requests of these answers, and how often each fitted. */
  votes: Map<Flow, number> | null = new Map();
  voted = 0;
  transport = '';
  /** QP of the sender. Only datagrams name it. */
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
  /** Counts of packets with payload. */
  data: Span & { packets: number; wireBytes: number } = { startT: 0, endT: 0, packets: 0, wireBytes: 0 };
  startT = 0;
  endT = 0;
  lastPacket = 0;
  readonly marked = new Sample();
  readonly cnps = new Sample();
  readonly messages = new Messages();
  readonly requester = new Requester(this.messages, (bytes) => (this.goodBytes += bytes));
  #responded = -1;
  /** PSNs of responses that came before their requester was known. */
  readonly early = new Set<number>();
  /** NAKs and RNR NAKs that came before their requester was known. */
  readonly earlyAsks: EarlyAsk[] = [];
  cnpFirstT = 0;
  cnpLastT = 0;

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

  /** Counts a packet. */
  count(p: PacketFacts): void {
    if (this.packets++ === 0) this.startT = p.t;
    this.startT = Math.min(this.startT, p.t);
    this.endT = Math.max(this.endT, p.t);
    this.lastPacket = p.number;
    this.wireBytes += p.original;
    if (p.ecn === 3) this.marked.add(p.number);
    if (p.kind !== 'cnp') return;
    if (this.cnps.total === 0) this.cnpFirstT = p.t;
    this.cnpLastT = p.t;
    this.cnps.add(p.number);
  }

  /** Counts a datagram. */
  datagram(p: PacketFacts): void {
    this.payload(p, true);
    this.messages.see(p);
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

  /** Keeps a NAK or an RNR NAK until the flows are matched. */
  askedEarly({ psn, t, number, syndrome }: PacketFacts): void {
    if (this.earlyAsks.length < EARLY_ASKS) this.earlyAsks.push({ psn, t, number, syndrome });
  }

  /** Returns true if a response carries payload that no earlier response did. */
  freshResponse(psn: number): boolean {
    if (this.early.size < EARLY) {
      const { size } = this.early;
      return this.early.add(psn).size > size;
    }
    if (this.#responded >= 0 && psnDistance(this.#responded, psn) <= 0) return false;
    this.#responded = psn;
    return true;
  }
}
