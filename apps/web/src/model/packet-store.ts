import type { PacketRecord } from '@verbslab/protocol';

export interface StoredPacket extends PacketRecord {
  source: number;
  /** Packets that the tap lost just before this one. */
  lostBefore: number;
}

/** How many packets a page keeps; the capture file has all that were recorded. */
export const MAX_PACKETS = 200_000;

const byTime = (a: StoredPacket, b: StoredPacket): number => Math.round(a.t) - Math.round(b.t);

/**
 * Packets of a run: in the order in which they came until the run is complete, then in the order of time, as in its capture
 * file. From then on their numbers stay.
 */
export class PacketStore {
  #packets: StoredPacket[] = [];
  #complete = false;
  #moved: Uint32Array | null = null;
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
  /** The packets have the numbers that they keep: no more will come, or they come from one tap and so in order. */
  get numbered(): boolean {
    return this.#complete || this.#sources.size <= 1;
  }
  /** Where the packets are now, by the places that they had until the run was complete; null if all kept theirs. */
  get moved(): Uint32Array | null {
    return this.#moved;
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

  /** No more will come. Each tap reports its packets when it has time to, so those of several have to be sorted. */
  settle(): void {
    this.#complete = true;
    const came = this.#packets;
    if (came.every((p, i) => i === 0 || byTime(came[i - 1]!, p) <= 0)) return;
    const moved = new Uint32Array(came.length);
    const order = Array.from(came.keys()).sort((a, b) => byTime(came[a]!, came[b]!));
    order.forEach((old, place) => (moved[old] = place));
    this.#moved = moved;
    this.#packets = order.map((old) => came[old]!);
  }

  addDropped(records: number): void {
    this.#dropped += records;
  }
}
