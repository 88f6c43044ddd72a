import {
  connectionFilterOf,
  Mark,
  marksOf,
  messageFilterOf,
  packetRow,
  relativePsn,
  type CaptureStreams,
  type FilterPacket,
  type IndexedCapture,
  type PacketMark,
  type PacketRow,
} from '@verbslab/roce';
import type { FileBytes } from './file-bytes';
import { flowNames, type FlowName } from '../../model/flow-names';
import { inWords, prefixOf, type Follow, type PacketRows } from '../../model/packet-rows';

/** Rows that are kept, once over and once more. */
const KEPT = 1_000;
const NOTHING = new Uint8Array(0);
const DIRECTIONS = [undefined, 'in', 'out'] as const;

/** Packets of a file, as columns: a row is made when it is drawn. */
export class FilePackets implements PacketRows {
  readonly #file: FileBytes;
  readonly #capture: IndexedCapture;
  readonly #streams: CaptureStreams;
  readonly #flows: readonly FlowName[];
  /** Rows used lately, and those used before them. */
  #young = new Map<number, PacketRow>();
  #old = new Map<number, PacketRow>();
  /** The one that a filter looks at. */
  readonly #view: FilterPacket;

  /** Grows when rows have come after they were asked for. */
  version = 0;
  /** The file can no longer be read. */
  failed = false;
  readonly #listeners = new Set<() => void>();

  constructor(file: FileBytes, capture: IndexedCapture, streams: CaptureStreams) {
    this.#file = file;
    this.#capture = capture;
    this.#streams = streams;
    this.#flows = flowNames(streams.flows);
    this.#view = {
      index: 0,
      t: 0,
      timeNs: 0n,
      linkType: 0,
      data: new Uint8Array(0),
      originalLength: 0,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get length(): number {
    return this.#capture.columns.length;
  }

  time(index: number): number | undefined {
    return this.#capture.columns.t[index];
  }

  wireLength(index: number): number {
    return this.#capture.columns.original[index] ?? 0;
  }

  flow(index: number): FlowName | undefined {
    return this.#flows[this.#streams.flowOf[index]!];
  }

  relativePsn(index: number): number | null {
    return relativePsn(this.#streams, this.#capture.columns, index);
  }

  at(index: number): PacketRow | undefined {
    let row = this.#young.get(index);
    if (row || index < 0 || index >= this.length) return row;
    if (this.#young.size >= KEPT) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    row = this.#old.get(index) ?? this.#make(index);
    if (row) this.#young.set(index, row);
    return row;
  }

  /** Undefined while its bytes are still to come; listeners hear of them. */
  #make(index: number): PacketRow | undefined {
    const { columns, comments, firstNs, wholes, ports } = this.#capture;
    const data = this.#data(index);
    if (!data) {
      this.#load(index, index + 1).then(
        () => this.#tell(),
        () => this.#lost(),
      );
      return undefined;
    }
    const own = comments.get(index);
    const direction = DIRECTIONS[columns.direction[index]!];
    const source = {
      timeNs: firstNs + BigInt(columns.t[index]!),
      linkType: columns.linkType[index]!,
      // A view would keep all of its block in memory.
      data: this.#file.whole ? data : data.slice(),
      originalLength: columns.original[index]!,
      whole: wholes.get(index),
      ...(own ? { comments: own } : {}),
      ...(direction ? { direction } : {}),
    };
    return packetRow(source, index, firstNs, ports ? { ports } : {});
  }

  #data(index: number): Uint8Array | null {
    const { offset, captured } = this.#capture.columns;
    return this.#file.at(offset[index]!, captured[index]!);
  }

  #load(from: number, to: number): Promise<void> {
    const { offset, captured } = this.#capture.columns;
    const end = offset[to - 1]! + captured[to - 1]!;
    return this.#file.load(offset[from]!, end - offset[from]!);
  }

  #tell(): void {
    this.version++;
    for (const listener of this.#listeners) listener();
  }

  #lost(): void {
    if (this.failed) return;
    this.failed = true;
    this.#tell();
  }

  ready(from: number, to: number): Promise<void> | null {
    const { offset, captured } = this.#capture.columns;
    const end = offset[to - 1]! + captured[to - 1]!;
    if (this.failed || this.#file.has(offset[from]!, end - offset[from]!)) return null;
    return this.#load(from, to).catch(() => this.#lost());
  }

  filtered(index: number): FilterPacket {
    const { columns, comments, firstNs, wholes, ports } = this.#capture;
    const whole = wholes.get(index);
    const view = this.#view;
    view.index = index;
    view.t = columns.t[index]!;
    view.previousT = columns.t[index - 1];
    view.timeNs = firstNs + BigInt(view.t);
    view.linkType = whole?.linkType ?? columns.linkType[index]!;
    view.data = whole?.data ?? this.#data(index) ?? NOTHING;
    view.ports = ports;
    view.originalLength = columns.original[index]!;
    view.comments = comments.get(index);
    view.marks = columns.marks[index];
    return view;
  }

  remarks(index: number): string[] {
    return [...(this.#capture.comments.get(index) ?? []), ...inWords(this.marks(index))];
  }

  prefix(index: number): string {
    return prefixOf(this.marks(index));
  }

  marks(index: number): readonly PacketMark[] {
    return marksOf(this.#capture.columns.marks[index] ?? 0);
  }

  isArrival(index: number): boolean {
    return (this.#capture.columns.marks[index]! & Mark.copy) !== 0;
  }

  follow(index: number): Follow {
    return {
      connection: connectionFilterOf(this.#capture, index),
      message: messageFilterOf(this.#capture, index),
    };
  }
}
