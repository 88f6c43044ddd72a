import { locate } from '../packet/locate.js';
import { eachPlace } from '../packet/places.js';
import type { PlacedHeader, PlaceVisitor, Stretch } from '../packet/places.js';
import { segment } from '../packet/segment.js';
import type { PacketRow } from '../models/types.js';

/** What a filter needs of a packet: a row of a list has it. */
export type FilterPacket = Pick<
  PacketRow,
  'index' | 't' | 'timeNs' | 'linkType' | 'data' | 'originalLength'
> & {
  comments?: string[] | undefined;
  /** `t` of the packet before it in the capture; missing for the first one. */
  previousT?: number | undefined;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports?: readonly number[] | undefined;
};

/**
 * Where the headers of one packet are. It is used for one packet after another, and reads nothing of a packet
 * before it is asked for a place.
 */
export class PacketView implements PlaceVisitor {
  packet!: FilterPacket;
  /** What stands in the packet, in order; `count` of them belong to this packet. */
  readonly what: (PlacedHeader | Stretch)[] = [];
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  /** One past the last byte of the packet by its own length fields. */
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
