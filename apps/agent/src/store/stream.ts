import { formatBytes } from '@verbslab/labs';
import {
  checkFrame,
  stampFrame,
  type EmittedEvent,
  type RunEvent,
  type RunEventOf,
  type RunRecord,
} from '@verbslab/protocol';
import { FrameMemory } from '../base/frame-memory.js';
import type { RunStore } from './store.js';
import { detailOf, type StreamItem } from './stream-item.js';

/** Longest time from an event to its record in the database, ms. */
export const FLUSH_MS = 200;
const FLUSH_BYTES = 1024 * 1024;
/**
 * Bytes of a live stream kept in memory for subscribers that keep up: at least the first figure, at most the second. A
 * million completion records are 32 MB, so a page may stall for a second and miss nothing.
 */
export const TAIL_KEPT_BYTES = 40 * 1024 * 1024;
const TAIL_BYTES = 64 * 1024 * 1024;
/** Largest memory of frames that have left the tail and wait for reuse: those that leave at once, and a little more. */
const SPARE_BYTES = TAIL_BYTES - TAIL_KEPT_BYTES + 8 * 1024 * 1024;
/**
 * Most bytes that one run may store, whatever a peer, a child or a program sends: its stream and its capture file.
 * Records beyond it are counted; frames are still shown live.
 */
export const RUN_LIMIT_BYTES = 256 * 1024 * 1024;
/**
 * Share of the limit for completions, and the same again for packets: a long run's completions must not cost its
 * capture, and both must leave room for events, series and histograms.
 */
const DETAIL_SHARE = 1 / 4;

const sizeOf = (item: StreamItem): number => (item.frame ?? item.json ?? '').length;
/** Memory of an item besides its bytes. */
const ITEM_BYTES = 200;

/** Kinds of records that can be left out, as named by `dropped` events. */
type Kept = RunEventOf<'dropped'>['what'];
const none = (): Record<Kept, number> => ({
  completions: 0,
  packets: 0,
  series: 0,
  histogram: 0,
  events: 0,
});

export interface StreamOptions {
  store: RunStore;
  /** Number of the run. */
  run: number;
  /** Nanoseconds since the run was created. */
  now: () => number;
  /** Default RUN_LIMIT_BYTES. */
  runLimit?: number;
  /** The capture so far, which is written with each flush. */
  capture?: () => RunRecord['capture'];
  /** Called once when the database takes no more (a full disk): nothing is recorded from then on. */
  onFailure?: (error: Error) => void;
}

/**
 * The stream of a live run: numbers new items, keeps the latest for subscribers, and writes them to the database in
 * chunks. Everything below `flushedSeq` can be read from there, so memory is bounded whatever subscribers do.
 */
export class RunStream {
  readonly run: number;
  readonly store: RunStore;
  /** Memory of the frames that the stream takes. */
  readonly memory = new FrameMemory(SPARE_BYTES);
  readonly #now: () => number;
  readonly #runLimit: number;
  readonly #capture: () => RunRecord['capture'];
  readonly #listeners = new Set<() => void>();
  #tail: StreamItem[] = [];
  /** Number of items that have left the tail. */
  #tailStart = 0;
  #tailBytes = 0;
  #pending: StreamItem[] = [];
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastT = 0;
  #ended = false;
  /** True while nothing is written, because the database took no more. */
  #failed = false;
  #told = false;
  readonly #onFailure: (error: Error) => void;
  bytes = 0;
  lastSeq = 0;
  recordedBytes = 0;
  /** Bytes of the capture file, which counts against the limit of the run. */
  #captureBytes = 0;
  readonly #detailBytes = { completions: 0, packets: 0 };
  readonly dropped = none();
  readonly #reported = none();
  #limitTold = false;

  constructor({ store, run, now, runLimit, capture, onFailure }: StreamOptions) {
    this.#onFailure = onFailure ?? (() => undefined);
    this.store = store;
    this.run = run;
    this.#now = now;
    this.#runLimit = runLimit ?? RUN_LIMIT_BYTES;
    this.#capture = capture ?? (() => null);
  }

  get droppedRecords(): number {
    return Object.values(this.dropped).reduce((sum, count) => sum + count, 0);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Appends an event of the agent's own. The limit of the run does not apply: these events are few, and describe its
   * course.
   */
  append(event: EmittedEvent, endpoint?: string): RunEvent {
    const numbered = this.#numbered(event, endpoint);
    this.#keep(numbered, JSON.stringify(numbered));
    return numbered;
  }

  /** Takes an event of an endpoint or a program. Beyond the limit of the run the event is only counted. */
  take(event: EmittedEvent, endpoint?: string): { recorded: boolean; chars: number } {
    const numbered = this.#numbered(event, endpoint);
    const json = JSON.stringify(numbered);
    const recorded = this.#hasRoom(json.length);
    if (recorded) this.#keep(numbered, json);
    else this.#drop('events', 1);
    return { recorded, chars: json.length };
  }

  /** Counts events that are not recorded. */
  leaveOut(events: number): void {
    this.#drop('events', events);
  }

  #numbered(event: EmittedEvent, endpoint: string | undefined): RunEvent {
    return {
      seq: this.lastSeq + 1,
      t: event.t ?? this.#now(),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...event,
    };
  }

  #keep(event: RunEvent, json: string): void {
    this.lastSeq = event.seq;
    this.#lastT = Math.max(this.#lastT, event.t);
    this.#push({ seq: event.seq, json, frame: null, detail: null, end: 0, held: 0 });
  }

  /** Counts the growth of the capture file, in bytes, against the limit of the run. */
  charge(bytes: number): void {
    this.#captureBytes += bytes;
  }

  #hasRoom(bytes: number): boolean {
    return this.recordedBytes + this.#captureBytes + bytes <= this.#runLimit;
  }

  /**
   * Takes a frame of an endpoint. Returns true if it was recorded, false if the limit was reached and only live
   * subscribers get it. Throws FrameError if it cannot be decoded.
   */
  appendFrame(bytes: Uint8Array): boolean {
    const header = checkFrame(bytes);
    const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const detail = detailOf(header);
    const share = this.#runLimit * DETAIL_SHARE;
    const recorded =
      this.#hasRoom(frame.length) &&
      (detail === null || this.#detailBytes[detail.what] + frame.length <= share);
    if (detail !== null && recorded) this.#detailBytes[detail.what] += frame.length;
    const seq = recorded ? ++this.lastSeq : 0;
    stampFrame(frame, this.run, seq);
    this.#lastT = Math.max(this.#lastT, header.t);
    this.#push({ seq, json: null, frame, detail, end: 0, held: 0 });
    // The report comes after the frame: a subscriber that got the frame then knows that nothing is missing.
    if (!recorded) this.#drop(header.kind, header.count + header.dropped);
    return recorded;
  }

  #drop(what: Kept, records: number): void {
    this.dropped[what] += records;
    if (this.#reported[what] === 0) this.#reportDropped(what, records);
    if (this.#limitTold || this.#hasRoom(this.#runLimit / 64)) return;
    this.#limitTold = true;
    this.append({
      kind: 'note',
      text: `This run has reached its storage limit of ${formatBytes(this.#runLimit)} (--run-limit). Further records are counted, but not kept.`,
    });
  }

  #reportDropped(what: Kept, records: number): void {
    this.#reported[what] += records;
    this.append({ kind: 'dropped', what, records, reason: 'limit' });
  }

  /** Reports dropped records at the end, as far as they were not reported yet. */
  reportDropped(): void {
    for (const what of Object.keys(this.dropped) as Kept[]) {
      const rest = this.dropped[what] - this.#reported[what];
      if (rest > 0) this.#reportDropped(what, rest);
    }
  }

  #push(item: StreamItem): void {
    const size = sizeOf(item);
    this.bytes += size;
    item.end = this.bytes;
    this.#tail.push(item);
    this.#tailBytes += size + ITEM_BYTES;
    if (item.seq > 0 && !this.#failed) {
      this.#pending.push(item);
      this.#pendingBytes += size;
      this.recordedBytes += size;
    }
    if (this.#pendingBytes >= FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
    if (this.#tailBytes > TAIL_BYTES) this.#trim();
    for (const listener of this.#listeners) listener();
  }

  /** Drops the oldest items of the tail; they are in the database first. */
  #trim(): void {
    this.flush();
    let count = 0;
    while (this.#tailBytes > TAIL_KEPT_BYTES && count < this.#tail.length) {
      const item = this.#tail[count++]!;
      this.#tailBytes -= sizeOf(item) + ITEM_BYTES;
      // After a failure of the database, `salvage` may still need the unwritten frames.
      if (item.frame && item.held === 0 && !this.#failed) this.memory.give(item.frame);
    }
    this.#tail = this.#tail.slice(count);
    this.#tailStart += count;
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const pending = this.#pending;
    if (this.#failed || (pending.length === 0 && this.droppedRecords === 0)) return;
    try {
      this.store.flush(this.run, {
        firstSeq: pending[0]?.seq ?? 0,
        items: pending.map((item) =>
          item.frame ? { frame: true, bytes: item.frame } : { frame: false, bytes: Buffer.from(item.json!) },
        ),
        lastT: this.#lastT,
        recordedBytes: this.recordedBytes,
        droppedRecords: this.droppedRecords,
        capture: this.#capture(),
      });
      this.#pending = [];
      this.#pendingBytes = 0;
    } catch (error) {
      this.#failed = true;
      if (!this.#told) this.#onFailure(error as Error);
      this.#told = true;
    }
  }

  /**
   * Called before the last events of a run. If the database took no more, makes room and tries the waiting items again,
   * so that the end of the run is in the history with its reason. Items since the failure stay out of it.
   */
  salvage(): void {
    if (!this.#failed) return;
    this.store.retention.makeRoom();
    this.#failed = false;
    this.flush();
    if (!this.#failed) return;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#failed = false;
  }

  /** Ends the stream. */
  end(): void {
    this.flush();
    this.memory.clear();
    this.#ended = true;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after every item and at the end. Returns a function that stops this. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // For readers: items by position, counted from the first item that was ever in the tail.
  get tailStart(): number {
    return this.#tailStart;
  }

  get tailEnd(): number {
    return this.#tailStart + this.#tail.length;
  }

  at(position: number): StreamItem {
    return this.#tail[position - this.#tailStart]!;
  }

  /** Position of the first recorded item from `seq` on, if the tail reaches back that far; else null. */
  locate(seq: number): number | null {
    const first = this.#tail.findIndex((item) => item.seq > 0);
    if (first < 0) return seq > this.lastSeq ? this.tailEnd : null;
    if (seq < this.#tail[first]!.seq) return null;
    const index = this.#tail.findIndex((item) => item.seq >= seq);
    return index < 0 ? this.tailEnd : this.#tailStart + index;
  }
}
