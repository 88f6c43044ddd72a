import { locate } from '../packet/locate.js';
import { eachPlace } from '../packet/places.js';
import type { PlacedHeader, PlaceVisitor, Stretch } from '../packet/places.js';
import { segment } from '../packet/segment.js';
import type { PacketRow } from '../models/types.js';

/** The parts of a packet that a filter uses. A row of a packet list has them all. */
export type FilterPacket = Pick<
  PacketRow,
  'index' | 't' | 'timeNs' | 'linkType' | 'data' | 'originalLength'
> & {
  comments?: string[] | undefined;
  /** Bits of `Mark`; missing if the connections were not followed. */
  marks?: number | undefined;
  /** `t` of the previous packet in the capture; missing for the first one. */
  previousT?: number | undefined;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports?: readonly number[] | undefined;
};

/**
 * Places of the headers of a packet. One view serves many packets in turn, and reads nothing of a packet before the
 * first request for a place.
 */
export class PacketView implements PlaceVisitor {
  packet!: FilterPacket;
  /** Headers and stretches of the packet, in order. Only the first `count` belong to this packet. */
  readonly what: (PlacedHeader | Stretch)[] = [];
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  /** Offset after the last byte of the packet by its own length fields. */
  end = 0;
  #count = -1;

  open(packet: FilterPacket): void {
    this.packet = packet;
    this.#count = -1;
  }

  count(): number {
    if (this.#count >= 0) return this.#count;
    const { data, linkType, ports } = this.packet;
    this.#count = 0;
    const frame = locate(data, linkType, ports);
    this.end = frame.end;
    eachPlace(data, frame, frame.bth >= 0 ? segment(data, frame) : undefined, this);
    return this.#count;
  }

  header(header: PlacedHeader, offset: number, length: number): void {
    this.#put(header, offset, length);
  }
  stretch(stretch: Stretch, offset: number, length: number): void {
    this.#put(stretch, offset, length);
  }
  #put(what: PlacedHeader | Stretch, offset: number, length: number): void {
    const i = this.#count++;
    this.what[i] = what;
    this.offsets[i] = offset;
    this.lengths[i] = length;
  }
}
