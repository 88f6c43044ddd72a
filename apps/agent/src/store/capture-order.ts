import { closeSync, openSync, readSync, renameSync, rmSync, fstatSync, writeSync } from 'node:fs';

/** Block types of pcapng. */
const SECTION = 0x0a0d0d0a;
const PACKET = 6;
/** Bytes of a packet block up to its time: type, length, interface, time in two halves. */
const HEAD_BYTES = 20;
const WINDOW_BYTES = 1024 * 1024;
const PAGE_BYTES = 64 * 1024;
const PAGES = 32;
const TURN_PACKETS = 2000;

/** Positions of the packet blocks in a file, with their times. */
interface Blocks {
  /** Bytes before the first packet block: section and interfaces. */
  head: number;
  at: number[];
  length: number[];
  /** Nanoseconds since the first packet of the file; these are exact in a double. */
  t: number[];
}

/** Reads forward through a file, a window at a time. */
class Reader {
  readonly #fd: number;
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES);
  #from = 0;
  #bytes = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Returns the bytes at a position: fewer at the end of the file, and no more than a window. */
  at(place: number, length: number): Buffer {
    if (place < this.#from || place + length > this.#from + this.#bytes) {
      this.#from = place;
      this.#bytes = readSync(this.#fd, this.#window, 0, WINDOW_BYTES, place);
    }
    return this.#window.subarray(place - this.#from, Math.min(this.#bytes, place - this.#from + length));
  }
}

/**
 * Finds the blocks. Null for a file that does not consist of whole blocks as `CaptureWriter` writes them: one section,
 * then interfaces, then packets.
 */
function blocksOf(fd: number): Blocks | null {
  const reader = new Reader(fd);
  const size = fstatSync(fd).size;
  const found: Blocks = { head: 0, at: [], length: [], t: [] };
  let first: bigint | null = null;
  for (let place = 0; place < size;) {
    const head = reader.at(place, HEAD_BYTES);
    if (head.length < HEAD_BYTES) return null;
    const [type, length] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    if (length < HEAD_BYTES || length % 4 !== 0 || place + length > size) return null;
    if ((type === SECTION) !== (place === 0)) return null;
    if (type === PACKET) {
      const ns = (BigInt(head.readUInt32LE(12)) << 32n) | BigInt(head.readUInt32LE(16));
      first ??= ns;
      found.at.push(place);
      found.length.push(length);
      found.t.push(Number(ns - first));
    } else if (first !== null) return null;
    else found.head = place + length;
    place += length;
  }
  return found;
}

/** Copies blocks to a file, in pieces of a window. */
class Copier {
  readonly #from: number;
  readonly #to: number;
  readonly #piece = Buffer.allocUnsafe(WINDOW_BYTES);
  #used = 0;
  /** Pages read last, by index. Packets that lie together are wanted together, at one position per process. */
  readonly #read = new Map<number, Buffer>();

  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  #page(index: number): Buffer {
    const known = this.#read.get(index);
    if (known) return known;
    const oldest = this.#read.size < PAGES ? undefined : this.#read.keys().next().value;
    if (oldest !== undefined) this.#read.delete(oldest);
    const page = Buffer.allocUnsafe(PAGE_BYTES);
    const bytes = readSync(this.#from, page, 0, PAGE_BYTES, index * PAGE_BYTES);
    this.#read.set(index, page.subarray(0, bytes));
    return page.subarray(0, bytes);
  }

  take(place: number, length: number): void {
    for (let copied = 0; copied < length;) {
      if (this.#used === WINDOW_BYTES) this.flush();
      const at = place + copied;
      const start = at % PAGE_BYTES;
      const most = Math.min(length - copied, WINDOW_BYTES - this.#used);
      const got = this.#page(Math.floor(at / PAGE_BYTES)).copy(this.#piece, this.#used, start, start + most);
      if (got === 0) throw new Error('the capture became shorter while it was read');
      this.#used += got;
      copied += got;
    }
  }

  flush(): void {
    for (let rest = this.#piece.subarray(0, this.#used); rest.length > 0;)
      rest = rest.subarray(writeSync(this.#to, rest));
    this.#used = 0;
  }
}

/** Suffix of the new file until it replaces the old one. */
export const SORTING = '.sorting';

/**
 * Sorts the packets of a capture by time, so that a packet has the same number in Wireshark as in Verbs Lab. Packets of
 * the same time keep their order. A file in any other form than a CaptureWriter's stays as it is. So does a file that
 * cannot be written, with an error of the file system. Yields so that others can have a turn.
 */
export function* sortingCapture(path: string): Generator<void> {
  const from = openSync(path, 'r');
  try {
    const blocks = blocksOf(from);
    if (!blocks) return;
    const { head, at, length, t } = blocks;
    if (t.every((time, i) => i === 0 || t[i - 1]! <= time)) return;
    yield;
    const order = Array.from(t.keys()).sort((a, b) => t[a]! - t[b]!);
    yield;
    const sorted = `${path}${SORTING}`;
    const to = openSync(sorted, 'w', 0o600);
    try {
      const copier = new Copier(from, to);
      copier.take(0, head);
      for (const [n, i] of order.entries()) {
        copier.take(at[i]!, length[i]!);
        if (n % TURN_PACKETS === TURN_PACKETS - 1) yield;
      }
      copier.flush();
      renameSync(sorted, path);
    } finally {
      closeSync(to);
      rmSync(sorted, { force: true });
    }
  } finally {
    closeSync(from);
  }
}

/** Sorts a capture without yielding. */
export function sortCapture(path: string): void {
  for (const _ of sortingCapture(path));
}
