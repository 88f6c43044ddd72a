import type { PacketRecord } from '@verbslab/protocol';

export interface StoredPacket extends PacketRecord {
  source: number;
  /** Packets that the tap lost just before this one. */
  lostBefore: number;
}

/** How many packets a page keeps; the capture file has all that were recorded. */
export const MAX_PACKETS = 200_000;

/** Packets of a run, in the order in which they came. */
export class PacketStore {
  readonly #packets: StoredPacket[] = [];
  #beyond = 0;
  #dropped = 0;
  #earliest = Infinity;
  readonly #sources = new Set<number>();
  readonly #droppedBy = new Map<number, number>();

  get all(): readonly StoredPacket[] {
    return this.#packets;
  }
  get length(): number {
    return this.#packets.length;
  }
  /** Run time of the earliest packet; with several processes it need not be the first. Infinity without packets. */
  get earliest(): number {
    return this.#earliest;
  }
  /** How many taps the packets came from. */
  get taps(): number {
    return this.#sources.size;
  }
  /** Packets received and not kept by this page. */
  get beyond(): number {
    return this.#beyond;
  }
  /** Packets that each tap lost, by its source. */
  get droppedBy(): ReadonlyMap<number, number> {
    return this.#droppedBy;
  }
  /** Packets that the taps or the recorder lost, each tap's counted. */
  get dropped(): number {
    return this.#dropped;
  }

  push(source: number, records: readonly PacketRecord[], dropped: number): void {
    let lostBefore = dropped;
    if (records.length > 0) this.#sources.add(source);
    this.#dropped += dropped;
    if (dropped > 0) this.#droppedBy.set(source, (this.#droppedBy.get(source) ?? 0) + dropped);
    for (const r of records) {
      if (this.#packets.length >= MAX_PACKETS) {
        this.#beyond++;
        continue;
      }
      if (r.t < this.#earliest) this.#earliest = r.t;
      // The frame's memory is shared by all its packets and kept alive by them: no copy.
      this.#packets.push({ ...r, source, lostBefore });
      lostBefore = 0;
    }
  }

  addDropped(records: number): void {
    this.#dropped += records;
  }
}
