import {
  decodeHeader,
  stampFrame,
  type EmittedEvent,
  type FrameHeader,
  type RunEvent,
} from '@verbslab/protocol';
import { decodeChunk } from './chunk.js';
import type { RunStore } from './store.js';

/** Latest time between an event and its being in the database. */
export const FLUSH_MS = 200;
const FLUSH_BYTES = 1024 * 1024;
/**
 * What of a live stream stays in memory for subscribers that keep up: at least the first figure, at most the
 * second. A million completion records are 32 MB, so a page may stall for a second and miss nothing.
 */
export const TAIL_KEPT_BYTES = 40 * 1024 * 1024;
const TAIL_BYTES = 64 * 1024 * 1024;
/**
 * Completion records kept of one run, and as much again of packets: a long run's completions must not cost its
 * capture. What comes above it is shown live and counted.
 */
export const RECORD_LIMIT_BYTES = 64 * 1024 * 1024;

/** One item of a stream: a JSON event as text, or a binary frame. */
export interface StreamItem {
  /** 0: live only, not recorded. */
  seq: number;
  json: string | null;
  frame: Buffer | null;
  /**
   * Set for frames whose loss a slow client survives. `count`: records that nobody learns of without the frame,
   * those in it and those that it says were lost before it.
   */
  detail: { what: 'completions' | 'packets'; source: number; count: number } | null;
  /** Bytes of the stream up to and including this item; NaN when it was read from the database. */
  end: number;
}

function detailOf(header: FrameHeader): StreamItem['detail'] {
  const { kind, source, count, dropped } = header;
  return kind === 'completions' || kind === 'packets' ? { what: kind, source, count: count + dropped } : null;
}

const sizeOf = (item: StreamItem): number => (item.frame ?? item.json ?? '').length;

export interface StreamOptions {
  store: RunStore;
  /** Number of the run. */
  run: number;
  /** Nanoseconds since the run was created. */
  now: () => number;
  recordLimit?: number;
  /** The database took no more (a full disk): nothing is recorded from then on. Called once. */
  onFailure?: (error: Error) => void;
}

/**
 * The stream of a live run: numbers what comes, keeps the latest of it for subscribers, and writes it to the
 * database in chunks. Everything below `flushedSeq` can be read back from there, so memory is bounded whatever
 * subscribers do.
 */
export class RunStream {
  readonly run: number;
  readonly store: RunStore;
  readonly #now: () => number;
  readonly #recordLimit: number;
  readonly #listeners = new Set<() => void>();
  #tail: StreamItem[] = [];
  /** Items that have left the tail. */
  #tailStart = 0;
  #tailBytes = 0;
  #pending: StreamItem[] = [];
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastT = 0;
  #ended = false;
  #failed = false;
  readonly #onFailure: (error: Error) => void;
  bytes = 0;
  lastSeq = 0;
  recordedBytes = 0;
  readonly #detailBytes = { completions: 0, packets: 0 };
  readonly dropped = { completions: 0, packets: 0 };
  readonly #reported = { completions: 0, packets: 0 };

  constructor({ store, run, now, recordLimit, onFailure }: StreamOptions) {
    this.#onFailure = onFailure ?? (() => undefined);
    this.store = store;
    this.run = run;
    this.#now = now;
    this.#recordLimit = recordLimit ?? RECORD_LIMIT_BYTES;
  }

  get droppedRecords(): number {
    return this.dropped.completions + this.dropped.packets;
  }

  get ended(): boolean {
    return this.#ended;
  }

  append(event: EmittedEvent, endpoint?: string): RunEvent {
    const numbered = {
      seq: ++this.lastSeq,
      t: event.t ?? this.#now(),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...event,
    } as RunEvent;
    this.#lastT = Math.max(this.#lastT, numbered.t);
    this.#push({
      seq: numbered.seq,
      json: JSON.stringify(numbered),
      frame: null,
      detail: null,
      end: 0,
    });
    return numbered;
  }

  /**
   * Takes a frame of an endpoint, unread but for its header. Returns true when it was recorded, false when the
   * limit was reached and only live subscribers get it. Throws FrameError when it is not a frame.
   */
  appendFrame(bytes: Uint8Array): boolean {
    const header = decodeHeader(bytes);
    const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const detail = detailOf(header);
    const recorded = detail === null || this.#detailBytes[detail.what] + frame.length <= this.#recordLimit;
    if (detail !== null && recorded) this.#detailBytes[detail.what] += frame.length;
    const seq = recorded ? ++this.lastSeq : 0;
    stampFrame(frame, this.run, seq);
    this.#lastT = Math.max(this.#lastT, header.t);
    this.#push({ seq, json: null, frame, detail, end: 0 });
    if (detail !== null && !recorded) {
      this.dropped[detail.what] += detail.count;
      // After the frame: who was sent it knows then that it misses nothing.
      if (this.#reported[detail.what] === 0) this.#reportDropped(detail.what, detail.count);
    }
    return recorded;
  }

  #reportDropped(what: 'completions' | 'packets', records: number): void {
    this.#reported[what] += records;
    this.append({ kind: 'dropped', what, records, reason: 'limit' });
  }

  /** Tells at the end what the record lacks and was not told yet. */
  reportDropped(): void {
    for (const what of ['completions', 'packets'] as const) {
      const rest = this.dropped[what] - this.#reported[what];
      if (rest > 0) this.#reportDropped(what, rest);
    }
  }

  #push(item: StreamItem): void {
    const size = sizeOf(item);
    this.bytes += size;
    item.end = this.bytes;
    this.#tail.push(item);
    this.#tailBytes += size;
    if (item.seq > 0) {
      this.#pending.push(item);
      this.#pendingBytes += size;
      this.recordedBytes += size;
    }
    if (this.#pendingBytes >= FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
    if (this.#tailBytes > TAIL_BYTES) this.#trim();
    for (const listener of this.#listeners) listener();
  }

  /** Drops the oldest of the tail; what is dropped is in the database first. */
  #trim(): void {
    this.flush();
    let count = 0;
    while (this.#tailBytes > TAIL_KEPT_BYTES && count < this.#tail.length) {
      this.#tailBytes -= sizeOf(this.#tail[count++]!);
    }
    this.#tail = this.#tail.slice(count);
    this.#tailStart += count;
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const pending = this.#pending;
    if (this.#failed || (pending.length === 0 && this.droppedRecords === 0)) return;
    this.#pending = [];
    this.#pendingBytes = 0;
    try {
      this.store.flush(this.run, {
        firstSeq: pending[0]?.seq ?? 0,
        items: pending.map((item) =>
          item.frame ? { frame: true, bytes: item.frame } : { frame: false, bytes: Buffer.from(item.json!) },
        ),
        lastT: this.#lastT,
        recordedBytes: this.recordedBytes,
        droppedRecords: this.droppedRecords,
      });
    } catch (error) {
      this.#failed = true;
      this.#onFailure(error as Error);
    }
  }

  /** No more items will come. */
  end(): void {
    this.flush();
    this.#ended = true;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after every item and at the end; returns how to stop that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // For readers: items by position, which counts all that ever were in the tail.
  get tailStart(): number {
    return this.#tailStart;
  }

  get tailEnd(): number {
    return this.#tailStart + this.#tail.length;
  }

  at(position: number): StreamItem {
    return this.#tail[position - this.#tailStart]!;
  }

  /** Position of the first recorded item from `seq` on, when the tail reaches back that far; else null. */
  locate(seq: number): number | null {
    const first = this.#tail.findIndex((item) => item.seq > 0);
    if (first < 0) return seq > this.lastSeq ? this.tailEnd : null;
    if (seq < this.#tail[first]!.seq) return null;
    const index = this.#tail.findIndex((item) => item.seq >= seq);
    return index < 0 ? this.tailEnd : this.#tailStart + index;
  }
}

/** Reads a run’s stream from a sequence number on: from the database, then from the tail while the run is live. */
export class StreamReader {
  readonly #store: RunStore;
  readonly #run: number;
  readonly #live: RunStream | null;
  #nextSeq: number;
  #position: number | null = null;
  #items: StreamItem[] = [];
  #index = 0;

  constructor(store: RunStore, run: number, live: RunStream | null, fromSeq: number) {
    this.#store = store;
    this.#run = run;
    this.#live = live;
    this.#nextSeq = Math.max(1, fromSeq);
  }

  /** Bytes between an item and the end of the live stream; Infinity for one that the tail no longer holds. */
  lag(item: StreamItem): number {
    if (!this.#live) return 0;
    return Number.isNaN(item.end) ? Infinity : this.#live.bytes - item.end;
  }

  /** The next item; null when there is none (yet). */
  next(): StreamItem | null {
    const live = this.#live;
    if (this.#position !== null && live) {
      if (this.#position >= live.tailStart) {
        if (this.#position >= live.tailEnd) return null;
        return this.#take(live.at(this.#position++));
      }
      this.#position = null;
    }
    if (this.#index < this.#items.length) return this.#take(this.#items[this.#index++]!);
    if (live) {
      this.#position = live.locate(this.#nextSeq);
      if (this.#position !== null) return this.next();
    }
    const chunk = this.#store.chunkAt(this.#run, this.#nextSeq);
    if (!chunk) return null;
    this.#items = decodeChunk(chunk.bytes).map(({ frame, bytes }, index) => ({
      seq: chunk.firstSeq + index,
      json: frame ? null : bytes.toString(),
      frame: frame ? bytes : null,
      detail: frame ? detailOf(decodeHeader(bytes)) : null,
      end: NaN,
    }));
    this.#index = Math.max(0, this.#nextSeq - chunk.firstSeq);
    return this.next();
  }

  #take(item: StreamItem): StreamItem {
    if (item.seq > 0) this.#nextSeq = item.seq + 1;
    return item;
  }
}
