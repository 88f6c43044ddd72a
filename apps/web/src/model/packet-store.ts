import type { PacketRecord } from '@verbslab/protocol';

export interface StoredPacket extends PacketRecord {
  source: number;
  /** Packets that the tap lost just before this one. */
  lostBefore: number;
}

/** Most packets that a page keeps; the capture file has all recorded ones. */
export const MAX_PACKETS = 200_000;

const byTime = (a: StoredPacket, b: StoredPacket): number => Math.round(a.t) - Math.round(b.t);

/**
 * Packets of a run: in the order of arrival until the run is complete, then in order of time, as in its capture file.
 * From then on their numbers do not change.
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
  /**
   * True if the packets have their final numbers: no more will arrive, or they come from a single tap and are therefore
   * in order.
   */
  get numbered(): boolean {
    return this.#complete || this.#sources.size <= 1;
  }
  /** New positions of the packets by their positions before the run was complete; null if none moved. */
  get moved(): Uint32Array | null {
    return this.#moved;
  }
  /** Number of taps that captured the packets. */
  get taps(): number {
    return this.#sources.size;
  }
  /** Packets that this page received but did not keep. */
  get beyond(): number {
    return this.#beyond;
  }
  /** Number of packets that each tap lost, by source. */
  get droppedBy(): ReadonlyMap<number, number> {
    return this.#droppedBy;
  }
  /** Number of packets that the taps or the recorder lost, summed over the taps. */
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
      // All packets of a frame share its memory and keep it alive: no copy.
      this.#packets.push({ ...r, source, lostBefore });
      lostBefore = 0;
    }
  }

  /** Sorts the packets: no more will arrive, and each tap reports its packets with its own delay. */
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
