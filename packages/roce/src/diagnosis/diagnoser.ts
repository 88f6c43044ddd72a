import { Mark } from '../models/marks.js';
import type { CaptureError } from '../capture/types.js';
import type { EndpointRef, KnownConnection } from '../models/types.js';
import { plainIp } from '../models/connections.js';
import { clocksApart } from './clocks.js';
import type { ClocksApart } from './clocks.js';
import { connectionsOf } from './connections.js';
import type { FoundConnection } from './connections.js';
import { Copies } from './copies.js';
import { Datagrams } from './datagrams.js';
import { Exchanges } from './exchanges.js';
import { Reassembler } from '../packet/reassembly.js';
import { Addresses, PacketFacts } from './facts.js';
import type { PacketSource } from './facts.js';
import { allFindings, CHECKED } from './findings/index.js';
import type { Flow } from './flow.js';
import { Flows } from './flows.js';
import { contest, matchByPsn, pair, pairByCm, unpairContested } from './pairing.js';
import { Totals } from './totals.js';
import type { Sample } from '../base/sample.js';
import type { Diagnosis } from './types.js';
import { uncheckedOf } from './unchecked.js';

export interface DiagnoseOptions {
  /** Connections that the caller knows of. */
  connections?: readonly KnownConnection[];
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports?: readonly number[];
  /** Check every ICRC; on by default. */
  icrc?: boolean;
}

/** Input of all finding classes. */
export interface Evidence {
  totals: Totals;
  exchanges: Exchanges;
  datagrams: Datagrams;
  connections: FoundConnection[];
  addresses: Addresses;
  /** Connections that two places with different clocks captured. */
  clocks: ClocksApart[];
  /** Fragments of RoCE packets that were not completed. */
  incomplete: Sample;
}

/**
 * Diagnoses a capture packet by packet, in the order of the file. Memory does not grow with the number of packets,
 * and is bounded per connection. Never throws, whatever the packets.
 */
export class Diagnoser {
  readonly #addresses = new Addresses();
  readonly #facts: PacketFacts;
  readonly #reassembler: Reassembler;
  readonly #flows = new Flows();
  readonly #totals = new Totals();
  readonly #exchanges = new Exchanges();
  readonly #copies = new Copies();
  readonly #datagrams = new Datagrams();
  /** Connections that are known before their packets come: the QP back, by `source destination QP` of a flow. */
  readonly #known = new Map<string, { back: number; mtu: number; by: 'known' | 'cm' }>();

  constructor(readonly options: DiagnoseOptions = {}) {
    this.#reassembler = new Reassembler(options.ports);
    this.#facts = new PacketFacts(this.#addresses, options.icrc !== false, this.#reassembler);
    for (const { ends, mtu } of options.connections ?? []) {
      const [a, b] = ends;
      this.#expect(plainIp(a.ip), a.qpn, plainIp(b.ip), b.qpn, mtu ?? 0, 'known');
    }
  }

  /** The addresses behind the indices `PacketFacts.src` and `dst`. */
  get addresses(): readonly string[] {
    return this.#addresses.texts;
  }

  /** Returns the facts of this packet. They are valid until the next call. */
  packet(source: PacketSource): PacketFacts {
    const p = this.#facts.read(source, source.number ?? this.#totals.packets + 1);
    this.#totals.see(p);
    if (p.opcode >= 0 && !p.malformed) {
      if (p.icrc === 'bad') this.#dropped(p);
      else this.#follow(p);
    }
    this.#totals.seen(p);
    return p;
  }

  #follow(p: PacketFacts): void {
    const made = this.#flows.all.length;
    const flow = this.#flows.of(p);
    if (!flow) {
      this.#totals.notFollowed++;
      return;
    }
    if (this.#flows.all.length > made) this.#join(flow);
    if (this.#copies.see(p, flow.id)) {
      p.marks |= Mark.copy;
      return;
    }
    flow.count(p);
    if (p.cm) this.#connect(p);
    this.#transport(flow, p);
  }

  /** A packet with a wrong ICRC. Its receiver drops it, so it is the loss that shows later. */
  #dropped(p: PacketFacts): void {
    const flow = this.#flows.find(p.src, p.dst, p.destQp);
    if (!flow || !p.info) return;
    if (p.info.request) flow.requester.wrong(p);
    else flow.peer?.requester.wrongAnswer(p);
  }

  #transport(flow: Flow, p: PacketFacts): void {
    const { info } = p;
    if (!info) return flow.requester.other(p);
    if (info.transport === 'CNP') return;
    flow.transport ||= info.transport;
    if (p.srcQp >= 0) flow.srcQp = p.srcQp;
    if (info.transport === 'UD' || info.transport === 'RD') {
      if (info.transport === 'UD') this.#datagrams.see(p);
      return flow.datagram(p);
    }
    if (info.request && !flow.requester.started) contest(flow, p.psn, this.#flows);
    if (info.request) return flow.payload(p, flow.requester.request(p, this.#span(flow, p)));
    if (!flow.peer) matchByPsn(flow, p.psn, this.#flows);
    const asked = flow.peer?.requester;
    if (!asked) {
      if (p.kind === 'nak' || p.kind === 'rnr') flow.askedEarly(p);
      const response = p.kind !== 'ack' && p.kind !== 'nak' && p.kind !== 'rnr';
      return flow.payload(p, response && flow.freshResponse(p.psn));
    }
    // The length of a response that does not end its message is the path MTU, and gives the number of responses to the
    // READ.
    if (p.kind === 'read-response') asked.settle(info.last ? flow.pathMtu : p.payload);
    flow.payload(p, asked.answer(p));
  }

  /** Returns the number of PSNs that a request takes (a READ takes one per response packet); undefined if not known. */
  #span(flow: Flow, p: PacketFacts): number | undefined {
    if (p.kind !== 'read-request') return 1;
    const mtu = flow.pathMtu;
    if (mtu === 0 || p.dmaLength < 0) return p.dmaLength >= 0 && p.dmaLength <= 256 ? 1 : undefined;
    return Math.max(1, Math.ceil(p.dmaLength / mtu));
  }

  #connect(p: PacketFacts): void {
    const agreed = this.#exchanges.see(p);
    if (!agreed) return;
    const { a, b, mtu } = agreed;
    const { texts } = this.#addresses;
    this.#expect(texts[a.address]!, a.qp, texts[b.address]!, b.qp, mtu, 'cm');
    const there = this.#flows.find(a.address, b.address, b.qp);
    const back = this.#flows.find(b.address, a.address, a.qp);
    if (there && back) pairByCm(there, back, mtu);
  }

  #expect(a: string, qa: number, b: string, qb: number, mtu: number, by: 'known' | 'cm'): void {
    this.#known.set(`${a} ${b} ${qb}`, { back: qa, mtu, by });
    this.#known.set(`${b} ${a} ${qa}`, { back: qb, mtu, by });
  }

  #join(flow: Flow): void {
    const { texts } = this.#addresses;
    const known = this.#known.get(`${texts[flow.src]} ${texts[flow.dst]} ${flow.qp}`);
    if (!known) return;
    flow.agreedMtu = known.mtu;
    const back = this.#flows.find(flow.dst, flow.src, known.back);
    if (back) pair(flow, back, known.by);
  }

  /** The end that sends a flow, with its QPN where that is known without packets in the other direction. */
  #sender(flow: Flow): EndpointRef {
    const { texts } = this.#addresses;
    const ip = texts[flow.src]!;
    const qpn =
      flow.peer?.qp ??
      this.#known.get(`${ip} ${texts[flow.dst]} ${flow.qp}`)?.back ??
      (flow.srcQp >= 0 ? flow.srcQp : undefined);
    return qpn === undefined ? { ip } : { ip, qpn };
  }

  /** Returns the diagnosis. No packet may follow. */
  finish(error?: CaptureError): Diagnosis {
    for (const { requester } of this.#flows.all) requester.end(this.#totals.endT);
    unpairContested(this.#flows);
    this.#exchanges.end();
    const { orders } = this.#copies;
    const sender = (flow: Flow): EndpointRef => this.#sender(flow);
    let connections = connectionsOf(this.#flows.all, sender, this.#addresses);
    const clocks = clocksApart(connections, orders);
    if (clocks.length > 0) {
      for (const { connection } of clocks) for (const flow of connection.flows) flow?.requester.withhold();
      connections = connectionsOf(this.#flows.all, sender, this.#addresses);
    }
    const incomplete = this.#reassembler.incomplete();
    this.#totals.end(incomplete);
    const unchecked = uncheckedOf(this.#totals, error);
    const evidence: Evidence = {
      totals: this.#totals,
      incomplete,
      exchanges: this.#exchanges,
      datagrams: this.#datagrams,
      clocks,
      connections,
      addresses: this.#addresses,
    };
    return {
      packets: this.#totals.packets,
      rocePackets: this.#totals.roce,
      durationNs: this.#totals.durationNs,
      counts: this.#totals.counts(connections),
      findings: allFindings(evidence),
      connections: connections.map(({ shown }) => shown),
      checked: CHECKED,
      notFollowed: this.#totals.notFollowed,
      ...(unchecked ? { unchecked } : {}),
      ...(error ? { error } : {}),
    };
  }
}
