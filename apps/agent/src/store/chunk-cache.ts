import { openChunk, type ChunkItems } from './chunk.js';

/** A chunk in the form of the database. */
export interface Chunk {
  firstSeq: number;
  lastSeq: number;
  bytes: Buffer;
}

/** A chunk that was opened for reading. Many readers may share one. */
export interface OpenChunk {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Items of the chunk, or the error of reading it. */
  readonly items: ChunkItems | Error;
}

/** Bytes that the cache of all readers keeps, unless a single chunk is larger. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Bytes per item that an open chunk takes besides its content. */
const PLACE_BYTES = 8;

interface Entry {
  run: number;
  chunk: OpenChunk;
  bytes: number;
}

/**
 * Cache of the chunks that were read last. Readers ask for theirs again in each turn and keep none in between, so
 * memory is bounded for any number of readers, and readers of one run share chunks.
 */
export class ChunkCache {
  readonly #read: (run: number, seq: number) => Chunk | null;
  /** The latest first. */
  #entries: Entry[] = [];

  constructor(read: (run: number, seq: number) => Chunk | null) {
    this.#read = read;
  }

  /** Returns the chunk that holds `seq`, or the next one after it; null if the stream ends before. */
  at(run: number, seq: number): OpenChunk | null {
    const index = this.#entries.findIndex(
      ({ run: of, chunk }) => of === run && chunk.firstSeq <= seq && seq <= chunk.lastSeq,
    );
    const [found] = index < 0 ? [] : this.#entries.splice(index, 1);
    const entry = found ?? this.#load(run, seq);
    if (!entry) return null;
    this.#entries.unshift(entry);
    let bytes = 0;
    this.#entries = this.#entries.filter((kept, place) => {
      bytes += kept.bytes;
      return place === 0 || bytes <= CACHE_BYTES;
    });
    return entry.chunk;
  }

  #load(run: number, seq: number): Entry | null {
    const chunk = this.#read(run, seq);
    if (!chunk) return null;
    const { firstSeq, lastSeq, bytes } = chunk;
    const items = opened(chunk);
    const places = items instanceof Error ? 0 : items.length * PLACE_BYTES;
    return { run, bytes: bytes.length + places, chunk: { firstSeq, lastSeq, items } };
  }
}

function opened({ firstSeq, lastSeq, bytes }: Chunk): ChunkItems | Error {
  try {
    const items = openChunk(bytes);
    const wanted = lastSeq - firstSeq + 1;
    if (items.length === wanted) return items;
    return new Error(`chunk holds ${items.length} items instead of ${wanted}`);
  } catch (error) {
    return error as Error;
  }
}
