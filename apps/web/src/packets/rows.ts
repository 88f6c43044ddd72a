import type { PacketStore } from '../run/model/packet-store';
import { analyse, LinkType, summarizePacket, type PacketMark, type PacketRow } from '@verbslab/roce';

/** A list of packets that can be drawn a window at a time. */
export interface PacketRows {
  readonly length: number;
  at(index: number): PacketRow | undefined;
  /** What befell the packet at the tap or in the file, in words; empty for most. */
  remarks(index: number): string[];
  /** What the packet is in the course of its connection: a retransmission, after a gap, a NAK. */
  marks(index: number): readonly PacketMark[];
}

const MARK_TEXT: Partial<Record<PacketMark, string>> = {
  copy: 'the arrival of a packet that is in the list as it left',
  retransmission: 'retransmission: its PSN is behind one already sent',
  duplicate: 'this capture holds this PSN already',
  gap: 'packets before this one are missing from the capture',
  ecn: 'marked by a congested switch on its way',
  'icrc-bad': 'its ICRC is wrong',
};
const NO_MARKS: readonly PacketMark[] = [];
/** Following every connection of more packets than this would hold the page up. */
const MAX_ANALYSED = 50_000;

function inWords(marks: readonly PacketMark[]): string[] {
  return marks.flatMap((m) => MARK_TEXT[m] ?? []);
}

const FLAGS: readonly [bit: number, text: string][] = [
  [1, 'ICRC did not agree at the receiver'],
  [2, 'dropped by fault injection'],
  [4, 'duplicated by fault injection'],
  [8, 'delayed by fault injection'],
  [16, 'corrupted by fault injection'],
];

/** Packets of a run: summaries are made when a row is first drawn, and kept. */
export class RunPackets implements PacketRows {
  readonly #store: PacketStore;
  readonly #rows: PacketRow[] = [];
  #marks: Map<number, PacketMark[]> | null = null;

  constructor(store: PacketStore) {
    this.#store = store;
  }

  get length(): number {
    return this.#store.length;
  }

  at(index: number): PacketRow | undefined {
    const p = this.#store.all[index];
    if (!p) return undefined;
    return (this.#rows[index] ??= {
      ...summarizePacket(p.bytes, LinkType.RAW),
      index,
      t: p.t,
      timeNs: BigInt(Math.round(p.t)),
      linkType: LinkType.RAW,
      length: p.bytes.length,
      originalLength: p.origLen,
      direction: p.direction === 'sent' ? 'out' : 'in',
      data: p.bytes,
    });
  }

  remarks(index: number): string[] {
    const p = this.#store.all[index];
    if (!p) return [];
    const out = FLAGS.filter(([bit]) => (p.flags & bit) !== 0).map(([, text]) => text);
    out.push(...inWords(this.marks(index)));
    if (p.lostBefore > 0) out.push(`${p.lostBefore} packets before this one were not captured`);
    return out;
  }

  marks(index: number): readonly PacketMark[] {
    return this.#marks?.get(index) ?? NO_MARKS;
  }

  /** No more will come: follows the connections once, to tell what was retransmitted. */
  settle(): void {
    if (this.#marks || this.length === 0 || this.length > MAX_ANALYSED) return;
    const rows = Array.from({ length: this.length }, (_, i) => this.at(i)!);
    this.#marks = analyse(rows).marks;
  }
}

const stores = new WeakMap<PacketStore, RunPackets>();

/** The rows of a run's packets: one list a run, so that summaries are made once. */
export function runPackets(store: PacketStore): RunPackets {
  let rows = stores.get(store);
  if (!rows) stores.set(store, (rows = new RunPackets(store)));
  return rows;
}

/** Packets of a file: all rows are there already. */
export class FilePackets implements PacketRows {
  readonly #rows: readonly PacketRow[];
  readonly #marks: ReadonlyMap<number, PacketMark[]>;
  constructor(rows: readonly PacketRow[], marks: ReadonlyMap<number, PacketMark[]>) {
    this.#rows = rows;
    this.#marks = marks;
  }
  get length(): number {
    return this.#rows.length;
  }
  at(index: number): PacketRow | undefined {
    return this.#rows[index];
  }
  remarks(index: number): string[] {
    return [...(this.#rows[index]?.comments ?? []), ...inWords(this.marks(index))];
  }
  marks(index: number): readonly PacketMark[] {
    return this.#marks.get(index) ?? NO_MARKS;
  }
}
