/** Bytes of an opened file. */
export interface FileBytes {
  /** True if all of it is in memory. */
  readonly whole: boolean;
  /** View of these bytes; null while they are not in memory. */
  at(offset: number, length: number): Uint8Array | null;
  has(offset: number, length: number): boolean;
  /** Loads them into memory, where they stay for a while. Rejects if the file has changed or is gone. */
  load(offset: number, length: number): Promise<void>;
}

/** Largest file. A page keeps 45 bytes per packet of the file, and the file itself if it is small. */
export const MAX_FILE = 2 ** 30;

/** Largest file that is kept in memory as a whole; of a larger one, only the shown parts. */
export const KEPT_WHOLE = 2 ** 26;

/** A file in memory. */
export class WholeFile implements FileBytes {
  readonly whole = true;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  at(offset: number, length: number): Uint8Array {
    return this.#bytes.subarray(offset, offset + length);
  }

  has(): boolean {
    return true;
  }

  load(): Promise<void> {
    return Promise.resolve();
  }
}

const BLOCK = 2 ** 20;
/** Number of blocks that are kept: 32 MiB. */
const KEPT = 32;

function blocksOf(offset: number, length: number): number[] {
  const first = Math.floor(offset / BLOCK);
  const last = Math.floor((offset + Math.max(1, length) - 1) / BLOCK);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** A file on disk; the last blocks read are kept. */
export class PartedFile implements FileBytes {
  readonly whole = false;
  readonly #file: Blob;
  /** Blocks in the order of their last use. */
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #coming = new Map<number, Promise<void>>();

  constructor(file: Blob) {
    this.#file = file;
  }

  at(offset: number, length: number): Uint8Array | null {
    const parts = blocksOf(offset, length).map((number) => this.#part(number, offset, length));
    if (parts.length === 1) return parts[0] ?? null;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      if (!part) return null;
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Part of a block that lies in a range of the file. */
  #part(number: number, offset: number, length: number): Uint8Array | undefined {
    const begin = number * BLOCK;
    return this.#block(number)?.subarray(Math.max(0, offset - begin), Math.max(0, offset + length - begin));
  }

  has(offset: number, length: number): boolean {
    return blocksOf(offset, length).every((number) => this.#blocks.has(number));
  }

  async load(offset: number, length: number): Promise<void> {
    await Promise.all(blocksOf(offset, length).map((number) => this.#read(number)));
  }

  #block(number: number): Uint8Array | undefined {
    const block = this.#blocks.get(number);
    if (!block) return undefined;
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    return block;
  }

  #read(number: number): Promise<void> {
    if (this.#blocks.has(number)) return Promise.resolve();
    const coming = this.#coming.get(number);
    if (coming) return coming;
    const part = this.#file.slice(number * BLOCK, (number + 1) * BLOCK);
    const reading = part.arrayBuffer().then((buffer) => {
      this.#blocks.set(number, new Uint8Array(buffer));
      for (const oldest of this.#blocks.keys()) {
        if (this.#blocks.size <= KEPT) break;
        this.#blocks.delete(oldest);
      }
    });
    const ended = reading.finally(() => this.#coming.delete(number));
    this.#coming.set(number, ended);
    return ended;
  }
}
