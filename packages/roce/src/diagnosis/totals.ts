import type { Frame } from '../packet/frame.js';
import { pauseOf } from '../packet/pause.js';
import { Mark } from '../models/marks.js';
import type { PacketFacts } from './facts.js';
import type { FoundConnection } from './connections.js';
import { NotRoce } from './not-roce.js';
import { Pauses } from './pauses.js';
import { Sample } from '../base/sample.js';
import type { CaptureCounts } from './types.js';

/** Counts over all packets, in any connection or none. */
export class Totals {
  packets = 0;
  roce = 0;
  startT = 0;
  endT = 0;
  notFollowed = 0;
  arrivals = 0;
  acks = 0;
  naks = 0;
  rnrNaks = 0;
  /** ACKs or NAKs whose AETH is cut off. */
  cutAnswers = 0;
  readonly unknown = new Sample();
  readonly unknownOpcodes = new Set<number>();
  readonly headersCut = new Sample();
  /** Packets with a BTH that can be read. */
  readable = 0;
  readonly notRoce = new NotRoce();
  readonly pauses = new Pauses();
  /** RoCE packets that came in IP fragments, and the number of these fragments. */
  readonly fragmented = new Sample();
  pieces = 0;
  /** Fragments that completed no packet. */
  #fragments = 0;
  readonly cut = new Sample();
  readonly malformed = new Sample();
  readonly icrcBad = new Sample();
  readonly icrcUnchecked = new Sample();
  icrcOk = 0;
  readonly backInTime = new Sample();
  #lastT = -Infinity;

  see(p: PacketFacts): void {
    this.packets++;
    this.startT = Math.min(this.startT, p.t);
    this.endT = Math.max(this.endT, p.t);
    if (p.t < this.#lastT) this.backInTime.add(p.number);
    this.#lastT = p.t;
    if (p.cut) this.cut.add(p.number);
    if (p.headersCut) this.headersCut.add(p.number);
    if (p.unknown && p.icrc !== 'bad') {
      this.unknown.add(p.number);
      this.unknownOpcodes.add(p.opcode);
    }
    if (p.malformed) this.malformed.add(p.number);
    const { frame, whole } = p;
    if (!p.roce) return this.#other(p, frame);
    this.roce++;
    if (p.opcode >= 0 && !p.malformed) this.readable++;
    if (whole) {
      this.fragmented.add(p.number);
      this.pieces += whole.fragments;
    }
    if (p.icrc === 'bad') this.icrcBad.add(p.number);
    else if (p.icrc === 'unchecked') this.icrcUnchecked.add(p.number);
    else if (p.icrc !== '') this.icrcOk++;
  }

  #other(p: PacketFacts, frame: Frame): void {
    const pause = pauseOf(p.data, frame);
    if (pause) this.pauses.see(p, pause, p.bitsPerSecond);
    if (frame.fragment) this.#fragments++;
    else this.notRoce.see(p, frame);
  }

  /** Ends the counts, now that all fragments of RoCE packets are known. */
  end(incomplete: Sample): void {
    const last = this.fragmented.total;
    this.notRoce.fragments(this.#fragments - (this.pieces - last) - incomplete.total);
  }

  /** Counts a packet after its connection has marked it. */
  seen(p: PacketFacts): void {
    if (p.icrc === 'bad') return;
    if (p.marks & Mark.copy) this.arrivals++;
    else if (p.kind === 'ack' && p.syndrome < 0) this.cutAnswers++;
    else if (p.kind === 'ack') this.acks++;
    else if (p.kind === 'nak') this.naks++;
    else if (p.kind === 'rnr') this.rnrNaks++;
  }

  get durationNs(): number {
    return this.endT - this.startT;
  }

  counts(connections: readonly FoundConnection[]): CaptureCounts {
    const flows = connections.flatMap(({ flows: [there, back] }) => (back ? [there, back] : [there]));
    const ways = connections.flatMap(({ shown }) => shown.from.filter((way) => way !== null));
    const messages = ways.flatMap((way) => way.messages);
    return {
      packets: this.packets,
      copies: this.arrivals,
      rocePackets: this.roce,
      durationNs: this.durationNs,
      payloadBytes: ways.reduce((sum, { payloadBytes }) => sum + payloadBytes, 0),
      messageBytes: messages.reduce((sum, { bytes }) => sum + bytes, 0),
      missing: flows.reduce((sum, { requester }) => sum + requester.gaps.psns, 0),
      retransmissions: flows.reduce((sum, { requester }) => sum + requester.goingBack.packets, 0),
      duplicates: flows.reduce((sum, { requester }) => sum + requester.goingBack.seen, 0),
      acks: this.acks,
      naks: this.naks,
      rnrNaks: this.rnrNaks,
      malformed: this.malformed.total,
      icrcBad: this.icrcBad.total,
      icrcUnchecked: this.icrcUnchecked.total,
    };
  }
}
