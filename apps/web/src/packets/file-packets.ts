import {
  connectionFilterOf,
  Mark,
  marksOf,
  messageFilterOf,
  packetRow,
  type FilterPacket,
  type IndexedCapture,
  type PacketMark,
  type PacketRow,
} from '@verbslab/roce';
import type { ReadCapture } from './read-capture';
import { inWords, prefixOf, type Follow, type PacketRows } from './rows';

/** Rows that are kept, once over and once more. */
const KEPT = 1_000;
const DIRECTIONS = [undefined, 'in', 'out'] as const;

/** Packets of a file, as columns: a row is made when it is drawn. */
export class FilePackets implements PacketRows {
  readonly #bytes: Uint8Array;
  readonly #capture: IndexedCapture;
  /** Rows used lately, and those used before them. */
  #young = new Map<number, PacketRow>();
  #old = new Map<number, PacketRow>();
  /** The one that a filter looks at. */
  readonly #view: FilterPacket;

  constructor({ bytes, capture }: Pick<ReadCapture, 'bytes' | 'capture'>) {
    this.#bytes = bytes;
    this.#capture = capture;
    this.#view = { index: 0, t: 0, timeNs: 0n, linkType: 0, data: bytes, originalLength: 0 };
  }

  get length(): number {
    return this.#capture.columns.length;
  }

  at(index: number): PacketRow | undefined {
    let row = this.#young.get(index);
    if (row || index < 0 || index >= this.length) return row;
    if (this.#young.size >= KEPT) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    row = this.#old.get(index) ?? this.#make(index);
    this.#young.set(index, row);
    return row;
  }

  #make(index: number): PacketRow {
    const { columns, comments, firstNs } = this.#capture;
    const own = comments.get(index);
    const direction = DIRECTIONS[columns.direction[index]!];
    const source = {
      timeNs: firstNs + BigInt(columns.t[index]!),
      linkType: columns.linkType[index]!,
      data: this.#data(index),
      originalLength: columns.original[index]!,
      ...(own ? { comments: own } : {}),
      ...(direction ? { direction } : {}),
    };
    return packetRow(source, index, firstNs);
  }

  #data(index: number): Uint8Array {
    const { offset, captured } = this.#capture.columns;
    return this.#bytes.subarray(offset[index], offset[index]! + captured[index]!);
  }

  filtered(index: number): FilterPacket {
    const { columns, comments, firstNs } = this.#capture;
    const view = this.#view;
    view.index = index;
    view.t = columns.t[index]!;
    view.timeNs = firstNs + BigInt(view.t);
    view.linkType = columns.linkType[index]!;
    view.data = this.#data(index);
    view.originalLength = columns.original[index]!;
    view.comments = comments.get(index);
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
