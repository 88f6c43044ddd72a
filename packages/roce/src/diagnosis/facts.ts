import { ipv4Text, ipv6Text, isMappedIpv4, u16, u24, u32 } from '../base/bytes.js';
import { icrcStatus } from '../packet/decode.js';
import { Frame } from '../packet/frame.js';
import { AethType, aethType } from '../headers/aeth.js';
import { HEADER_LENGTH } from '../base/opcodes.js';
import type { OpcodeInfo } from '../base/opcodes.js';
import { locate } from '../packet/locate.js';
import type { Reassembler, Whole } from '../packet/reassembly.js';
import { segment } from '../packet/segment.js';
import { isCm, lidText } from '../packet/summary.js';
import { Mark } from '../models/marks.js';
import { LinkType } from '../base/types.js';
import type { PacketKind } from '../base/types.js';

/** Packet type of outgoing packets in cooked captures. */
const SENT_BY_US = 4;

/** Limit of addresses per capture: a million addresses from an attacker must not fill the memory. */
const MAX_ADDRESSES = 1 << 14;

/** Addresses as small numbers, in order of appearance. `::ffff:10.0.0.1` is 10.0.0.1. */
export class Addresses {
  readonly texts: string[] = [];
  readonly #v4 = new Map<number, number>();
  readonly #v6 = new Map<string, number>();
  readonly #lids = new Map<number, number>();

  v4(bytes: Uint8Array, at: number): number {
    const key = u32(bytes, at);
    const id = this.#v4.get(key);
    if (id !== undefined) return id;
    if (this.texts.length >= MAX_ADDRESSES) return -1;
    this.#v4.set(key, this.texts.length);
    return this.texts.push(ipv4Text(bytes, at)) - 1;
  }

  /** Address of a port of native InfiniBand. */
  lid(lid: number): number {
    const id = this.#lids.get(lid);
    if (id !== undefined) return id;
    if (this.texts.length >= MAX_ADDRESSES) return -1;
    this.#lids.set(lid, this.texts.length);
    return this.texts.push(lidText(lid)) - 1;
  }

  v6(bytes: Uint8Array, at: number): number {
    if (isMappedIpv4(bytes, at)) return this.v4(bytes, at + 12);
    let key = '';
    for (let i = 0; i < 16; i += 2) key += String.fromCharCode(u16(bytes, at + i));
    const id = this.#v6.get(key);
    if (id !== undefined) return id;
    if (this.texts.length >= MAX_ADDRESSES) return -1;
    this.#v6.set(key, this.texts.length);
    return this.texts.push(ipv6Text(bytes, at)) - 1;
  }
}

/** The parts of a packet that a diagnosis reads. */
export interface PacketSource {
  /** Packet number in the file, from 1. Counted if missing. */
  number?: number | undefined;
  /** The packet that this last fragment completes, or null, if the caller has put fragments together. */
  whole?: Whole | null | undefined;
  /** Speed of the link, if the file states it. */
  bitsPerSecond?: number | undefined;
  data: Uint8Array;
  linkType: number;
  /** Length on the wire. */
  originalLength: number;
  /** Nanoseconds since the first packet. */
  t: number;
  direction?: 'in' | 'out' | undefined;
  /** Index of the interface of the file that captured the packet. */
  interfaceId?: number;
}

/** The facts of one packet as numbers, -1 where the packet has none. One object serves all packets in turn. */
export class PacketFacts {
  /** Packet number, from 1. */
  number = 0;
  t = 0;
  data!: Uint8Array;
  readonly frame = new Frame();
  /** The packet that this fragment completes. */
  whole: Whole | null = null;
  bitsPerSecond: number | undefined = undefined;
  captured = 0;
  /** Bytes on the wire, without the bytes that follow the packet in its frame. */
  original = 0;
  direction: 'in' | 'out' | undefined = undefined;
  /** Place of capture: a number per interface and direction. */
  place = 0;
  roce = false;
  malformed = false;
  /** True if the specification reserves the opcode or leaves it to manufacturers. */
  unknown = false;
  /** True if headers behind the BTH, or parts of them, are cut off. */
  headersCut = false;
  cut = false;
  ecn = 0;
  src = -1;
  dst = -1;
  info: OpcodeInfo | undefined = undefined;
  kind: PacketKind = 'other';
  opcode = -1;
  destQp = -1;
  srcQp = -1;
  psn = -1;
  syndrome = -1;
  msn = -1;
  dmaLength = -1;
  payloadOffset = 0;
  payload = 0;
  cm = false;
  /** Bits of `Mark`, as far as they are known when the packet arrives. */
  marks = 0;
  icrc: '' | 'ok' | 'ok-other-id' | 'bad' | 'unchecked' = '';

  constructor(
    readonly addresses: Addresses,
    readonly checksIcrc: boolean,
    readonly reassembler: Reassembler,
  ) {}

  /** Reads a packet into this object. Never throws, whatever the bytes. */
  read(source: PacketSource, number: number): this {
    this.number = number;
    this.bitsPerSecond = source.bitsPerSecond;
    this.t = source.t;
    const frame = this.#locate(source);
    const { data } = this;
    this.captured = data.length;
    this.unknown = this.headersCut = false;
    this.#locatePlace(source);
    this.opcode = this.destQp = this.srcQp = this.psn = this.syndrome = this.msn = this.dmaLength = -1;
    this.src = this.dst = -1;
    this.payload = this.payloadOffset = this.ecn = 0;
    this.cm = false;
    this.marks = 0;
    this.icrc = '';
    this.kind = 'other';
    this.info = undefined;
    this.cut = (!this.whole && this.original > this.captured) || frame.truncated;
    // Padding of the frame and its check sequence are no part of the packet.
    this.original -= this.captured - frame.end;
    this.roce = frame.bth >= 0;
    this.malformed = frame.error !== undefined && !this.cut;
    if (frame.ipKind === 'ipv4') {
      this.src = this.addresses.v4(data, frame.ip + 12);
      this.dst = this.addresses.v4(data, frame.ip + 16);
      this.ecn = data[frame.ip + 1]! & 3;
    } else if (frame.ipKind !== 'none') {
      this.src = this.addresses.v6(data, frame.ip + 8);
      this.dst = this.addresses.v6(data, frame.ip + 24);
      this.ecn = (data[frame.ip + 1]! >>> 4) & 3;
    } else if (frame.lrh >= 0) {
      this.src = this.addresses.lid(u16(data, frame.lrh + 6));
      this.dst = this.addresses.lid(u16(data, frame.lrh + 2));
    }
    if (this.ecn === 3) this.marks |= Mark.ecn;
    if (this.roce) this.#roce(frame);
    if (this.malformed) this.marks |= Mark.malformed;
    return this;
  }

  /** Place of capture: cooked captures name the interface and direction of each packet, and pcapng files may. */
  #locatePlace({ data, linkType, direction, interfaceId = 0 }: PacketSource): void {
    let way = direction === undefined ? 0 : direction === 'out' ? 2 : 1;
    let through = interfaceId;
    if (linkType === LinkType.LINUX_SLL && data.length >= 2) way = u16(data, 0) === SENT_BY_US ? 2 : 1;
    else if (linkType === LinkType.LINUX_SLL2 && data.length >= 11) {
      way = data[10] === SENT_BY_US ? 2 : 1;
      through = through * 4096 + (u32(data, 4) & 4095);
    }
    this.direction = way === 0 ? undefined : way === 2 ? 'out' : 'in';
    this.place = through * 4 + way;
  }

  /** Locates the headers. The last fragment to arrive represents the whole packet. */
  #locate(source: PacketSource): Frame {
    const { data, linkType, originalLength: original, t } = source;
    const { reassembler } = this;
    const frame = locate(data, linkType, reassembler.ports, this.frame);
    this.whole =
      source.whole === undefined && frame.fragment
        ? reassembler.add(data, frame, { t, number: this.number, original })
        : (source.whole ?? null);
    this.data = this.whole?.data ?? data;
    this.original = this.whole?.wireBytes ?? original;
    return this.whole ? locate(this.data, this.whole.linkType, reassembler.ports, frame) : frame;
  }

  #roce(frame: Frame): void {
    const { data } = this;
    const part = segment(data, frame);
    this.unknown = part.unknown === true;
    if (part.error && !this.cut && !this.unknown) this.malformed = true;
    if (frame.end < frame.bth + 12) {
      this.headersCut = this.cut;
      return;
    }
    const { bth } = frame;
    this.opcode = data[bth]!;
    this.destQp = u24(data, bth + 5);
    this.psn = u24(data, bth + 9);
    this.info = part.info;
    this.payload = part.payloadLength;
    this.payloadOffset = part.payload;
    this.kind = part.info?.kind ?? 'other';
    this.#extended(part.headers, part.icrc >= 0 ? part.icrc : frame.end);
    this.cm = isCm(data, frame, part);
    if (this.checksIcrc) this.icrc = icrcStatus(data, frame, part);
    if (this.icrc === 'bad') this.marks |= Mark['icrc-bad'];
    if (this.kind === 'nak' || this.kind === 'rnr' || this.kind === 'cnp') this.marks |= Mark[this.kind];
  }

  #extended(from: number, stop: number): void {
    let at = from;
    for (const id of this.info?.headers ?? []) {
      const next = at + HEADER_LENGTH[id]!;
      if (next > stop) {
        this.headersCut = this.cut;
        return;
      }
      if (id === 'reth') this.dmaLength = u32(this.data, at + 12);
      else if (id === 'deth') this.srcQp = u24(this.data, at + 5);
      else if (id === 'aeth') {
        this.syndrome = this.data[at]!;
        this.msn = u24(this.data, at + 1);
        if (this.kind === 'ack') {
          const type = aethType(this.syndrome);
          if (type === AethType.NAK) this.kind = 'nak';
          else if (type === AethType.RNR) this.kind = 'rnr';
        }
      }
      at = next;
    }
  }
}
