import { PACKET_FLAGS } from '@verbslab/protocol';
import {
  analyze,
  bitsOf,
  LinkType,
  summarizePacket,
  type Analysis,
  type FilterPacket,
  type KnownConnection,
  type PacketMark,
  type PacketRow,
} from '@verbslab/roce';
import { flowNames, type FlowName } from './flow-names';
import { notCaptured } from './missing-packets';
import type { PacketStore } from './packet-store';

/** A list of packets that can be drawn a window at a time. */
export interface PacketRows {
  readonly length: number;
  /** Undefined outside of the list, or if the packet's bytes have yet to be read; `version` then changes later. */
  at(index: number): PacketRow | undefined;
  /** Time of a packet on the clock of `at`, without reading the packet; undefined outside of the list. */
  time(index: number): number | undefined;
  /** Bytes of a packet on the wire, without reading the packet. */
  wireLength(index: number): number;
  /** QPs that a packet goes between; undefined while its connection is unknown. */
  flow(index: number): FlowName | undefined;
  /** PSN as the distance from the first request of its requester; null while that is unknown. */
  relativePsn(index: number): number | null;
  /** Start of the list's times; missing: the time of the first packet. */
  readonly zero?: number;
  /** Missing if all packets are in memory, as is `ready`. */
  readonly version?: number;
  /** True if their file has changed or is gone. */
  readonly failed?: boolean;
  readonly subscribe?: (listener: () => void) => () => void;
  /** Loads packets `from` up to before `to` for a filter; null if they are already here. */
  ready?(from: number, to: number): Promise<void> | null;
  /** Remarks on the packet from the tap or the file; empty for most. */
  remarks(index: number): string[];
  /** Remarks in a word or two, for uncommon packets; empty for most. */
  prefix(index: number): string;
  /** Marks of the packet in its connection: a retransmission, after a gap, a NAK. */
  marks(index: number): readonly PacketMark[];
  /** True for a received copy of a packet that the list also has as sent. */
  isArrival(index: number): boolean;
  /**
   * Fields of the packet for a filter, valid until the next call. Times count from the first packet, as in the list.
   */
  filtered(index: number): FilterPacket;
  /** Filters for the connection and the message of the packet; missing if unknown. */
  follow?(index: number): Follow;
}

/** Null if the packets do not show it. */
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
/** Most packets whose connections are followed: more would block the page. */
export const MAX_ANALYZED = 50_000;

export function inWords(marks: readonly PacketMark[]): string[] {
  return marks.flatMap((m) => MARK_TEXT[m] ?? []);
}

/** Prefixes of the Info column. */
const PREFIXES: readonly [mark: PacketMark, prefix: string][] = [
  ['copy', 'arrival: '],
  ['retransmission', 'retransmission: '],
  ['icrc-bad', 'wrong ICRC: '],
  ['gap', 'packets missing before: '],
];

export function prefixOf(marks: readonly PacketMark[]): string {
  return PREFIXES.find(([mark]) => marks.includes(mark))?.[1] ?? '';
}

const FLAGS: readonly [bit: number, text: string][] = [
  [PACKET_FLAGS.badIcrc, 'wrong ICRC at the receiver'],
  [PACKET_FLAGS.faultDrop, 'dropped by fault injection'],
  [PACKET_FLAGS.faultDuplicate, 'duplicated by fault injection'],
  [PACKET_FLAGS.faultLate, 'delayed by fault injection'],
  [PACKET_FLAGS.faultBad, 'corrupted by fault injection'],
  [PACKET_FLAGS.faultMark, 'marked by fault injection'],
];

/** Packets without arrivals whose departure is also in the list. Null if there are none, so that all are listed. */
export function withoutArrivals(rows: PacketRows): number[] | null {
  const only: number[] = [];
  for (let i = 0; i < rows.length; i++) if (!rows.isArrival(i)) only.push(i);
  return only.length === rows.length ? null : only;
}

/** Position of a packet in a sorted list; -1 if it is not listed. */
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

/** The listed row above or below the selected one. */
export function neighbor(
  list: { length: number; only: readonly number[] | null; selected: number | null },
  by: 1 | -1,
): number {
  const { length, only, selected } = list;
  const place = selected === null ? -1 : only ? placeIn(only, selected) : selected;
  const next = Math.min((only?.length ?? length) - 1, Math.max(0, place + by));
  return only ? only[next]! : next;
}

/** Packets of a run, for all of its views. Summaries are made when a row is first drawn, and kept. */
export class RunPackets implements PacketRows {
  readonly #store: PacketStore;
  readonly #rows: PacketRow[] = [];
  /** The packet that a filter checks: a row for each packet would take a thousand bytes. */
  readonly #view: FilterPacket = {
    index: 0,
    t: 0,
    timeNs: 0n,
    linkType: LinkType.RAW,
    data: new Uint8Array(0),
    originalLength: 0,
  };
  #analysis: Analysis | null = null;
  /** Names of the flows of each connection: from its first end, and from its second. */
  #names: FlowName[] | null = null;
  /** Connections that the analysis was given, as JSON. */
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

  /** Run time of a packet; undefined outside of the list. */
  time(index: number): number | undefined {
    return this.#store.all[index]?.t;
  }

  wireLength(index: number): number {
    return this.#store.all[index]?.origLen ?? 0;
  }

  flow(index: number): FlowName | undefined {
    const at = this.#settled ? (this.#analysis?.connectionOf[index] ?? -1) : -1;
    if (!this.#analysis || at < 0) return undefined;
    this.#names ??= flowNames(
      this.#analysis.connections.flatMap(({ ends: [a, b] }) => [
        { from: a, to: b },
        { from: b, to: a },
      ]),
    );
    return this.#names[2 * at + this.#analysis.senderOf[index]!];
  }

  relativePsn(index: number): number | null {
    const psn = this.#settled ? this.#analysis?.psnOf[index] : undefined;
    return psn === undefined || Number.isNaN(psn) ? null : psn;
  }

  /** Source that captured a packet; undefined outside of the list. */
  source(index: number): number | undefined {
    return this.#store.all[index]?.source;
  }

  /** True if fault injection dropped the packet. */
  lost(index: number): boolean {
    return ((this.#store.all[index]?.flags ?? 0) & PACKET_FLAGS.faultDrop) !== 0;
  }

  remarks(index: number): string[] {
    const p = this.#store.all[index];
    if (!p) return [];
    const out = FLAGS.filter(([bit]) => (p.flags & bit) !== 0).map(([, text]) => text);
    out.push(...inWords(this.marks(index)));
    if (p.lostBefore > 0) out.push(notCaptured(p.lostBefore, ' before this one'));
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
    // A copy whose departure was not captured stands for the packet itself.
    return this.marks(index).includes('copy') && (this.#analysis?.departureOf[index] ?? -1) >= 0;
  }

  filtered(index: number): FilterPacket {
    const { all, earliest } = this.#store;
    const p = all[index]!;
    const before = all[index - 1];
    const view = this.#view;
    view.index = index;
    view.t = p.t - earliest;
    view.previousT = before && before.t - earliest;
    view.timeNs = BigInt(Math.round(p.t));
    view.data = p.bytes;
    view.originalLength = p.origLen;
    view.marks = bitsOf(this.marks(index));
    return view;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Follows the connections once, to find retransmissions: no more packets will arrive. */
  settle(connections: () => KnownConnection[]): void {
    if (this.#settled || this.length === 0) return;
    this.#settled = this.analysis(connections) !== null;
  }

  /** Analysis with the connections known so far; null without packets, or with more than can be followed. */
  analysis(connections: () => KnownConnection[]): Analysis | null {
    if (this.length === 0 || this.length > MAX_ANALYZED) return null;
    const known = connections();
    const told = JSON.stringify(known);
    // During a run, a connection may become known after its last packet.
    if (this.#analysis?.rows.length !== this.length || told !== this.#told) {
      const rows = Array.from({ length: this.length }, (_, i) => this.at(i)!);
      this.#analysis = analyze(rows, { connections: known });
      this.#told = told;
    }
    return this.#analysis;
  }
}

const lists = new WeakMap<readonly unknown[], RunPackets>();

/** Rows of a run's packets: a list per order of the packets, so that summaries are made once. */
export function runPackets(store: PacketStore): RunPackets {
  let rows = lists.get(store.all);
  if (!rows) lists.set(store.all, (rows = new RunPackets(store)));
  return rows;
}
