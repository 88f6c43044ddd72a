import { checkFrame, type RunEvent } from '@verbslab/protocol';
import type { OpenChunk } from './chunk-cache.js';
import type { ChunkItem, ChunkItems } from './chunk.js';
import type { RunStore } from './store.js';
import { detailOf, type StreamItem } from './stream-item.js';
import type { RunStream } from './stream.js';

/** An event in place of a stretch of the record that cannot be read. */
function unreadable(firstSeq: number, lastSeq: number, { message }: Error): ChunkItem {
  const text = `Items ${firstSeq} to ${lastSeq} of the record cannot be read: ${message}.`;
  const event: RunEvent = { seq: lastSeq, t: 0, kind: 'log', level: 'error', text };
  return { frame: false, bytes: Buffer.from(JSON.stringify(event)) };
}

/** Opens a chunk. A single item stands for all of an unreadable chunk, so that the rest of the run is shown. */
function readable({ firstSeq, lastSeq, items }: OpenChunk): { firstSeq: number; items: ChunkItems } {
  if (!(items instanceof Error)) return { firstSeq, items };
  const item = unreadable(firstSeq, lastSeq, items);
  return { firstSeq: lastSeq, items: { length: 1, at: () => item } };
}

/** Reads a run’s stream from a sequence number on: from the database, then from the tail while the run is live. */
export class StreamReader {
  readonly #store: RunStore;
  readonly #run: number;
  readonly #live: RunStream | null;
  #nextSeq: number;
  #position: number | null = null;
  /** The chunk in use, or a single item in place of an unreadable chunk. */
  #chunk: (Pick<OpenChunk, 'firstSeq'> & { items: ChunkItems }) | null = null;

  constructor(store: RunStore, run: number, live: RunStream | null, fromSeq: number) {
    this.#store = store;
    this.#run = run;
    this.#live = live;
    this.#nextSeq = Math.max(1, fromSeq);
  }

  /** Bytes between an item and the end of the live stream; Infinity for an item that the tail no longer holds. */
  lag(item: StreamItem): number {
    if (!this.#live) return 0;
    return Number.isNaN(item.end) ? Infinity : this.#live.bytes - item.end;
  }

  /** Returns the next item; null if there is none (yet). Its frame stays unchanged until `release`. */
  next(): StreamItem | null {
    const live = this.#live;
    if (this.#position !== null && live) {
      if (this.#position >= live.tailStart) {
        if (this.#position >= live.tailEnd) return null;
        const item = live.at(this.#position++);
        item.held++;
        return this.#take(item);
      }
      this.#position = null;
    }
    const stored = this.#stored();
    if (stored) return this.#take(stored);
    if (live) {
      this.#position = live.locate(this.#nextSeq);
      if (this.#position !== null) return this.next();
    }
    const chunk = this.#store.chunkAt(this.#run, this.#nextSeq);
    if (!chunk) return null;
    this.#chunk = readable(chunk);
    // Missing items leave a gap, and the item for an unreadable stretch comes at the end of the stretch.
    this.#nextSeq = Math.max(this.#nextSeq, this.#chunk.firstSeq);
    return this.next();
  }

  /** Ends the use of an item. If a caller forgets this, the memory of the frame is not reused, which does no harm. */
  release(item: StreamItem): void {
    item.held--;
  }

  /** Drops what was read until more is needed: many readers wait for clients that read slowly, or not at all. */
  rest(): void {
    this.#chunk = null;
  }

  /**
   * The next item of the chunk, if there is one. Frames are copies: a frame that waits to be sent must not keep its
   * chunk.
   */
  #stored(): StreamItem | null {
    if (!this.#chunk) return null;
    const { firstSeq, items } = this.#chunk;
    const seq = this.#nextSeq;
    if (seq - firstSeq >= items.length) {
      this.#chunk = null;
      return null;
    }
    const item = items.at(seq - firstSeq);
    if (!item.frame)
      return { seq, json: item.bytes.toString(), frame: null, detail: null, end: NaN, held: 0 };
    try {
      const detail = detailOf(checkFrame(item.bytes));
      return { seq, json: null, frame: Buffer.from(item.bytes), detail, end: NaN, held: 0 };
    } catch (error) {
      const json = unreadable(seq, seq, error as Error).bytes.toString();
      return { seq, json, frame: null, detail: null, end: NaN, held: 0 };
    }
  }

  #take(item: StreamItem): StreamItem {
    if (item.seq > 0) this.#nextSeq = item.seq + 1;
    return item;
  }
}
