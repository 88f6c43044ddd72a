import type { PacketStore } from './packet-store';
import {
  analyse,
  LinkType,
  summarizePacket,
  type Analysis,
  type FilterPacket,
  type KnownConnection,
  type PacketMark,
  type PacketRow,
} from '@verbslab/roce';

/** A list of packets that can be drawn a window at a time. */
export interface PacketRows {
  readonly length: number;
  /** Undefined where there is none, or where its bytes are still to be read; then `version` will change. */
  at(index: number): PacketRow | undefined;
  /** What the times of the list count from; the time of the first packet where it is missing. */
  readonly zero?: number;
  /** Missing where all packets are in memory, as is `ready`. */
  readonly version?: number;
  /** The file that they are in has changed or is gone. */
  readonly failed?: boolean;
  readonly subscribe?: (listener: () => void) => () => void;
  /** Null if a filter can look at packets `from` up to before `to` now. */
  ready?(from: number, to: number): Promise<void> | null;
  /** Remarks on the packet from the tap or the file, in words; empty for most. */
  remarks(index: number): string[];
  /** The same in a word or two, where it is something out of the common; empty for most. */
  prefix(index: number): string;
  /** What the packet is in the course of its connection: a retransmission, after a gap, a NAK. */
  marks(index: number): readonly PacketMark[];
  /** The packet is in the list as it was sent, too. */
  isArrival(index: number): boolean;
  /** What a filter looks at, until the next call: times count from the first packet, as the list shows them. */
  filtered(index: number): FilterPacket;
  /** Filters that list what the packet belongs to; missing where that is not known. */
  follow?(index: number): Follow;
}

/** Null where the packets do not show it. */
export interface Follow {
  connection: string | null;
  message: string | null;
}

const MARK_TEXT: Partial<Record<PacketMark, string>> = {
  copy: 'received copy of a packet that the list also shows as sent',
  retransmission: 'retransmission: its PSN is behind one already sent',
  duplicate: 'this PSN is already in the capture',
  gap: 'packets before this one are missing from the capture',
  ecn: 'marked by a congested switch',
  'icrc-bad': 'its ICRC is wrong',
};
const NO_MARKS: readonly PacketMark[] = [];
/** Following every connection of more packets than this would hold the page up. */
export const MAX_ANALYSED = 50_000;

export function inWords(marks: readonly PacketMark[]): string[] {
  return marks.flatMap((m) => MARK_TEXT[m] ?? []);
}

/** First in the Info column. */
const PREFIXES: readonly [mark: PacketMark, prefix: string][] = [
  ['copy', 'arrival: '],
  ['retransmission', 'retransmission: '],
  ['gap', 'packets missing before: '],
];

export function prefixOf(marks: readonly PacketMark[]): string {
  return PREFIXES.find(([mark]) => marks.includes(mark))?.[1] ?? '';
}

const FLAGS: readonly [bit: number, text: string][] = [
  [1, 'wrong ICRC at the receiver'],
  [2, 'dropped by fault injection'],
  [4, 'duplicated by fault injection'],
  [8, 'delayed by fault injection'],
  [16, 'corrupted by fault injection'],
  [32, 'marked by fault injection'],
];

/** Without packets whose departure is in the list too. Null when there is none such: then all are listed. */
export function withoutArrivals(rows: PacketRows): number[] | null {
  const only: number[] = [];
  for (let i = 0; i < rows.length; i++) if (!rows.isArrival(i)) only.push(i);
  return only.length === rows.length ? null : only;
}

/** Where a packet stands in a list, which is in order; -1 if it is not in it. */
export function placeIn(only: readonly number[], index: number): number {
  let low = 0;
  let high = only.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (only[middle]! < index) low = middle + 1;
    else high = middle;
  }
  return only[low] === index ? low : -1;
}

/** The row above or below the chosen one, among those that are listed. */
export function neighbour(
  list: { length: number; only: readonly number[] | null; selected: number | null },
  by: 1 | -1,
): number {
  const { length, only, selected } = list;
  const place = selected === null ? -1 : only ? placeIn(only, selected) : selected;
  const next = Math.min((only?.length ?? length) - 1, Math.max(0, place + by));
  return only ? only[next]! : next;
}

/** Packets of a run: summaries are made when a row is first drawn, and kept. */
export class RunPackets implements PacketRows {
  readonly #store: PacketStore;
  readonly #rows: PacketRow[] = [];
  #analysis: Analysis | null = null;
  /** What the analysis was told of the connections. */
  #told = '';
  #settled = false;

  constructor(store: PacketStore) {
    this.#store = store;
  }

  get length(): number {
    return this.#store.length;
  }

  get zero(): number {
    return this.#store.earliest;
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

  prefix(index: number): string {
    const fault = FLAGS.find(([bit]) => ((this.#store.all[index]?.flags ?? 0) & bit) !== 0);
    return prefixOf(this.marks(index)) || (fault ? `${fault[1]}: ` : '');
  }

  marks(index: number): readonly PacketMark[] {
    return (this.#settled && this.#analysis?.marks.get(index)) || NO_MARKS;
  }

  isArrival(index: number): boolean {
    // One whose departure was not captured stands for the packet.
    return this.marks(index).includes('copy') && (this.#analysis?.departureOf[index] ?? -1) >= 0;
  }

  filtered(index: number): FilterPacket {
    const { zero } = this;
    const row = this.at(index)!;
    const before = this.at(index - 1);
    return { ...row, t: row.t - zero, previousT: before && before.t - zero };
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** No more will come: follows the connections once, to find retransmissions. */
  settle(connections: () => KnownConnection[]): void {
    if (this.#settled || this.length === 0) return;
    this.#settled = this.analysis(connections) !== null;
  }

  /** What is known of the connections now; null if there are no packets, or more than can be followed. */
  analysis(connections: () => KnownConnection[]): Analysis | null {
    if (this.length === 0 || this.length > MAX_ANALYSED) return null;
    const known = connections();
    const told = JSON.stringify(known);
    // Of a run in progress a connection may become known after the last of its packets.
    if (this.#analysis?.rows.length !== this.length || told !== this.#told) {
      const rows = Array.from({ length: this.length }, (_, i) => this.at(i)!);
      this.#analysis = analyse(rows, { connections: known });
      this.#told = told;
    }
    return this.#analysis;
  }
}

const lists = new WeakMap<readonly unknown[], RunPackets>();

/** The rows of a run's packets: one list for each order that they are in, so that summaries are made once. */
export function runPackets(store: PacketStore): RunPackets {
  let rows = lists.get(store.all);
  if (!rows) lists.set(store.all, (rows = new RunPackets(store)));
  return rows;
}
