import type { PacketColumns } from '../packet-columns.js';
import type { Way } from './ways.js';

/** Packets of one way that may be in flight between the two captures. */
const UNDER_WAY = 1 << 12;

/** Times in flight of packets that were captured at both ends. */
export class Delays {
  /** Nanoseconds from departure to arrival; NaN if no arrival was found. Null if no packet was captured twice. */
  of: Float32Array | null = null;
  readonly #sent = new Map<Way, Uint32Array>();

  constructor(readonly columns: PacketColumns) {}

  #ring(way: Way): Uint32Array {
    let ring = this.#sent.get(way);
    if (!ring) this.#sent.set(way, (ring = new Uint32Array(UNDER_WAY)));
    return ring;
  }

  departs(way: Way, i: number): void {
    this.#ring(way)[this.columns.psn[i]! & (UNDER_WAY - 1)] = i + 1;
  }

  arrives(way: Way, i: number): void {
    const { psn, opcode, t, length } = this.columns;
    const ring = this.#ring(way);
    const slot = psn[i]! & (UNDER_WAY - 1);
    const sent = ring[slot]! - 1;
    if (sent < 0 || psn[sent] !== psn[i] || opcode[sent] !== opcode[i]) return;
    ring[slot] = 0;
    this.of ??= new Float32Array(length).fill(NaN);
    this.of[sent] = t[i]! - t[sent]!;
  }
}
