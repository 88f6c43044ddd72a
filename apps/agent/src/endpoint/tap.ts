/** The packet tap of an endpoint: reads captured packets, sends them as frames, and counts them for the checks. */
import {
  encodePackets,
  endOfFrame,
  PACKET_FLAGS,
  TAP_LIST,
  type FrameMeta,
  type PacketRecord,
  type PacketSummary,
  type TapReport,
} from '@verbslab/protocol';
import { checkIcrc, LinkType, summarizePacket } from '@verbslab/roce';
import type { FedPacket, PacketFeed } from './packet-feed.js';
import type { Session } from './session.js';

const IPV6_LENGTH = 40;
const UDP_LENGTH = 8;
const READ_INTERVAL_MS = 20;
const FRAME_PACKETS = 4096;

const FAULT_FLAG = {
  none: 0,
  drop: PACKET_FLAGS.faultDrop,
  duplicate: PACKET_FLAGS.faultDuplicate,
  late: PACKET_FLAGS.faultLate,
  corrupt: PACKET_FLAGS.faultBad,
  mark: PACKET_FLAGS.faultMark,
} as const;

export class Tap {
  readonly #session: Session;
  readonly #feed: PacketFeed;
  readonly #source: number;
  readonly #withBytes: boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #opcodes = new Map<number, number>();
  #packets = 0;
  #others = 0;
  #dropped = 0;
  #badIcrc = 0;
  #cut = 0;
  #malformed = 0;
  #list: PacketSummary[] = [];

  constructor(session: Session, source: number, feed: PacketFeed, withBytes: boolean) {
    this.#withBytes = withBytes;
    this.#session = session;
    this.#feed = feed;
    this.#source = source;
    this.#timer = setInterval(() => this.#read(false), READ_INTERVAL_MS);
  }

  /** Sends the packets captured up to now. */
  async flush(): Promise<TapReport> {
    await this.#feed.settle();
    return this.#report();
  }

  async stop(): Promise<TapReport> {
    clearInterval(this.#timer);
    await this.#feed.stop();
    return this.#report();
  }

  #report(): TapReport {
    this.#read(true);
    const list = this.#list;
    this.#list = [];
    return {
      packets: this.#packets,
      dropped: this.#dropped,
      opcodes: Object.fromEntries(this.#opcodes),
      badIcrc: this.#badIcrc,
      cut: this.#cut,
      malformed: this.#malformed,
      ...(this.#feed.interface === undefined ? {} : { others: this.#others }),
      list,
    };
  }

  #read(all: boolean): void {
    for (;;) {
      const { packets, dropped } = this.#feed.take(all);
      const lost = dropped - this.#dropped;
      this.#dropped = dropped;
      if (packets.length === 0 && lost === 0) return;
      this.#send(
        packets.map((packet) => this.#toRecord(packet)),
        lost,
      );
      if (packets.length === 0) return;
    }
  }

  #send(records: PacketRecord[], lost: number): void {
    let dropped = lost;
    for (let from = 0; from < records.length || dropped > 0;) {
      const first = records[from]?.t ?? this.#session.recorder.now();
      const to = endOfFrame(records, from, { most: FRAME_PACKETS });
      const meta: FrameMeta = { source: this.#source, t: first, dropped };
      this.#session.sendFrame(encodePackets(meta, records.slice(from, to)));
      dropped = 0;
      from = to;
    }
  }

  #toRecord(packet: FedPacket): PacketRecord {
    const t = this.#session.recorder.at(packet.timeNs);
    const direction = this.#note(packet, t);
    return {
      t,
      tapSeq: packet.seq,
      direction,
      flags: FAULT_FLAG[packet.fault] | (packet.badIcrc ? PACKET_FLAGS.badIcrc : 0),
      origLen: packet.originalLength,
      bytes: packet.bytes,
    };
  }

  /** Counts it unless it belongs to another connection; returns its direction. */
  #note({ bytes, direction: told, originalLength, fault }: FedPacket, t: number): PacketSummary['direction'] {
    const summary = summarizePacket(bytes, LinkType.RAW);
    const passed = told
      ? { direction: told === 'tx' ? ('sent' as const) : ('received' as const), own: true }
      : this.#session.ownPackets.classify(summary);
    const { direction } = passed;
    if (!passed.own) {
      this.#others++;
      return direction;
    }
    this.#packets++;
    if (summary.error || summary.opcode === undefined) {
      this.#malformed++;
      return direction;
    }
    const { opcode, destQp = 0, psn = 0, ackReq = false, syndrome, msn, payloadLength, cm } = summary;
    this.#opcodes.set(opcode, (this.#opcodes.get(opcode) ?? 0) + 1);
    // The ICRC comes last: that of a cut packet is unknown.
    const whole = bytes.length >= originalLength;
    const icrcOk = !whole || icrcIsRight(bytes);
    if (!whole) this.#cut++;
    if (!icrcOk) this.#badIcrc++;
    if (this.#list.length >= TAP_LIST) return direction;
    this.#list.push({
      direction,
      t,
      opcode,
      destQpn: destQp,
      psn,
      ackReq,
      payload: payloadLength,
      length: originalLength,
      ...(syndrome === undefined ? {} : { syndrome }),
      ...(msn === undefined ? {} : { msn }),
      ...(fault === 'none' ? {} : { fault }),
      icrcOk,
      ...(cm === undefined ? {} : { cm }),
      ...(this.#withBytes ? { hex: Buffer.from(bytes).toString('hex') } : {}),
    });
    return direction;
  }
}

/**
 * Records start at the IP header: the embedded device's at the one on which the sender computed the ICRC, an
 * interface's at the one on the wire. So the check is exact, identification and all.
 */
function icrcIsRight(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  const ipLength = first >>> 4 === 4 ? (first & 15) * 4 : IPV6_LENGTH;
  return checkIcrc(bytes, 0, ipLength + UDP_LENGTH, bytes.length).status === 'ok';
}
