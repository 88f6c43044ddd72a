import { CREDIT_BYTES, toErrorInfo, type AgentMessage } from '@verbslab/protocol';
import type { StreamItem } from '../store/stream-item.js';
import type { StreamReader } from '../store/stream-reader.js';
import type { RunStream } from '../store/stream.js';
import type { FairQueue } from './fair-queue.js';

/** Bytes that one subscription sends before others get their turn. */
const TURN_BYTES = 256 * 1024;
/**
 * Items that one subscription handles before others get their turn: small ones, or those left out, take time as well.
 */
const TURN_ITEMS = 4_096;
/** Size from which a batch of JSON events is sent. */
const BATCH_CHARS = 64 * 1024;
/** Bytes that a client may lag behind a live run before detail is left out for it. */
const LAG_BYTES = 32 * 1024 * 1024;

/** Credit shared by the subscriptions of a connection: the bytes under way to its client. */
export class Credit {
  #sent = 0;
  #acknowledged = 0;
  readonly #window: number;

  constructor(window: number = CREDIT_BYTES) {
    this.#window = window;
  }

  get open(): boolean {
    return this.#sent - this.#acknowledged < this.#window;
  }

  spend(bytes: number): void {
    this.#sent += bytes;
  }

  /** Takes the client’s own count. A count above what was sent gains nothing. */
  acknowledge(total: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, Math.min(total, this.#sent));
  }
}

export interface Outlet {
  /** False while the connection holds as many unread bytes as it may: nothing is sent meanwhile. */
  readonly open: boolean;
  text(message: string): void;
  /** Sends a frame. `onWritten` is called when its memory is no longer read. */
  binary(frame: Buffer, onWritten: () => void): void;
}

export interface SubscriptionOptions {
  runId: string;
  /** False leaves out frames of completions and packets, without counting them as dropped. */
  detail: boolean;
  reader: StreamReader;
  /** Null for a run that has ended. */
  live: RunStream | null;
  credit: Credit;
  outlet: Outlet;
  /** Shared by all subscriptions of the agent. */
  queue: FairQueue;
  onDropped(records: number): void;
  /** Called if the history could not be read. */
  onFailure(error: unknown): void;
  onEnd(): void;
}

/**
 * Sends a run’s stream to a client: first the recorded part, then new items. It never sends more than the client’s
 * credit or the limit of its connection, and never more than a bounded number of bytes per turn. A client that lags far
 * behind a live run loses detail (completion records, packets), counted per source; events, series and histograms
 * always wait.
 */
export class Subscription {
  readonly runId: string;
  readonly #options: SubscriptionOptions;
  readonly #unlisten: () => void;
  readonly #skipped = new Map<
    string,
    { source: number; what: 'completions' | 'packets'; recorded: boolean; frames: number; records: number }
  >();
  #caughtUp = false;
  #scheduled = false;
  #closed = false;
  #lastSeq = 0;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.runId = options.runId;
    this.#unlisten = options.live?.listen(() => this.schedule()) ?? (() => undefined);
    this.schedule();
  }

  close(): void {
    this.#closed = true;
    this.#unlisten();
  }

  /** Sends more at its next turn. */
  schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    this.#options.queue.add(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      try {
        this.#turn();
      } catch (error) {
        this.#breakOff(error);
      }
    });
  }

  /**
   * Ends the subscription: the history cannot be read any further. Thrown on, the error would end the agent with all
   * its runs.
   */
  #breakOff(error: unknown): void {
    const { message } = toErrorInfo(error);
    const text = `The rest of the record, from item ${this.#lastSeq + 1} on, cannot be read: ${message}`;
    const event = { seq: this.#lastSeq + 1, t: 0, kind: 'log', level: 'error', text };
    this.#options.outlet.text(
      `{"type":"run.events","runId":"${this.runId}","events":[${JSON.stringify(event)}]}`,
    );
    this.#options.onFailure(error);
    this.#complete();
  }

  #complete(): void {
    this.#send({ type: 'run.complete', runId: this.runId, lastSeq: this.#lastSeq });
    this.close();
    this.#options.onEnd();
  }

  #turn(): void {
    const { reader, credit, outlet, live } = this.#options;
    let batch: string[] = [];
    let batchChars = 0;
    let bytes = 0;
    const sendBatch = (): void => {
      if (batch.length === 0) return;
      const message = `{"type":"run.events","runId":"${this.runId}","events":[${batch.join(',')}]}`;
      outlet.text(message);
      credit.spend(message.length);
      bytes += message.length;
      batch = [];
      batchChars = 0;
    };
    const next = (): StreamItem | null => {
      try {
        return reader.next();
      } catch (error) {
        sendBatch();
        throw error;
      }
    };
    let empty = false;
    for (let items = 0; items < TURN_ITEMS; items++) {
      if (bytes + batchChars >= TURN_BYTES || !credit.open || !outlet.open) break;
      const item = next();
      if (item === null) {
        empty = true;
        break;
      }
      if (item.seq > 0) this.#lastSeq = item.seq;
      if (item.json !== null) {
        // Records left out are reported first, in the order of the stream: an event may refer to them.
        if (this.#skipped.size > 0) {
          sendBatch();
          this.#tellSkipped();
        }
        batch.push(item.json);
        batchChars += item.json.length;
        if (batchChars >= BATCH_CHARS) sendBatch();
        continue;
      }
      if ((!this.#options.detail && item.detail !== null) || this.#mustSkip(item)) {
        reader.release(item);
        continue;
      }
      sendBatch();
      this.#tellSkipped();
      outlet.binary(item.frame!, () => reader.release(item));
      credit.spend(item.frame!.length);
      bytes += item.frame!.length;
    }
    sendBatch();
    reader.rest();
    if (!empty) {
      // Without credit, the next acknowledgment schedules; on a full connection, the next completed write does.
      // Otherwise only the turn was used up.
      if (credit.open && outlet.open) this.schedule();
      return;
    }
    this.#tellSkipped();
    if (!live || live.ended) {
      this.#complete();
    } else if (!this.#caughtUp) {
      this.#caughtUp = true;
      this.#send({ type: 'run.live', runId: this.runId, seq: this.#lastSeq });
    }
  }

  #mustSkip(item: StreamItem): boolean {
    const { detail } = item;
    if (!this.#caughtUp || detail === null || this.#options.reader.lag(item) <= LAG_BYTES) return false;
    const recorded = item.seq > 0;
    const key = `${detail.source} ${detail.what} ${recorded}`;
    const entry = this.#skipped.get(key) ?? {
      source: detail.source,
      what: detail.what,
      recorded,
      frames: 0,
      records: 0,
    };
    entry.frames++;
    entry.records += detail.count;
    this.#skipped.set(key, entry);
    this.#options.onDropped(detail.count);
    return true;
  }

  #tellSkipped(): void {
    for (const entry of this.#skipped.values())
      this.#send({ type: 'run.dropped', runId: this.runId, ...entry });
    this.#skipped.clear();
  }

  #send(message: AgentMessage): void {
    this.#options.outlet.text(JSON.stringify(message));
  }
}
