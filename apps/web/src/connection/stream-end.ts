import { Acknowledgments, decodeHeader, type AgentMessage, type FrameHeader } from '@verbslab/protocol';
import { CompletionLog } from '../model/completion-log';
import type { FromStream, ToStream } from './link';

/** Counts go to the page as often as it draws them. */
const INTERVAL_MS = 100;
/** Latencies are summed up from all completions, so they go less often. */
const LATENCIES_MS = 1000;
/** More rows than the tallest panel shows. */
const NEWEST = 64;

interface Watched {
  readonly runId: string;
  readonly log: CompletionLog;
  /** Version of the log that the page has. */
  told: number;
  /** Version of the log whose latencies the page has. */
  timed: number;
}

/**
 * The end of the link that holds the socket, off the page's thread. Completions come by the million and stay here:
 * the page gets their counts and the newest few. All else is handed on as it comes. Stream bytes are acknowledged
 * when they are used, here or by the page.
 */
export class StreamEnd {
  readonly #post: (m: FromStream, transfer?: Transferable[]) => void;
  readonly #watched = new Map<number, Watched>();
  #socket: WebSocket | null = null;
  #acks = this.#newAcks();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #toldAt = -Infinity;
  #latencyTimer: ReturnType<typeof setTimeout> | null = null;
  #timedAt = -Infinity;

  constructor(post: (m: FromStream, transfer?: Transferable[]) => void) {
    this.#post = post;
  }

  take(m: ToStream): void {
    switch (m.type) {
      case 'open':
        this.#open(m.url);
        break;
      case 'send':
        this.#send(m.text);
        break;
      case 'close':
        this.#socket?.close(1000);
        break;
      case 'consumed':
        this.#acks.consume(m.bytes);
        break;
      case 'watch':
        this.#watched.set(m.run, {
          runId: m.runId,
          log: new CompletionLog(m.latencies),
          ...{ told: 0, timed: 0 },
        });
        break;
      case 'forget':
        this.#watched.delete(m.run);
        break;
      case 'still': {
        const ring = this.#watched.get(m.run)?.log.ring;
        if (ring) this.#post({ type: 'still', run: m.run, completions: ring.snapshot(ring.capacity) });
        break;
      }
    }
  }

  #open(url: string): void {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#acks = this.#newAcks();
    socket.onopen = () => this.#post({ type: 'opened' });
    socket.onmessage = (e: MessageEvent<string | ArrayBuffer>) => {
      if (typeof e.data === 'string') this.#text(e.data);
      else this.#frame(e.data);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      // The page asks again from the first item that it does not know of.
      this.#tell();
      this.#post({ type: 'closed' });
    };
  }

  #frame(data: ArrayBuffer): void {
    const bytes = new Uint8Array(data);
    let header: FrameHeader | null = null;
    try {
      header = decodeHeader(bytes);
    } catch {
      // The page drops what cannot be read.
    }
    if (header?.kind !== 'completions') {
      this.#post({ type: 'frame', bytes }, [data]);
      return;
    }
    const watched = this.#watched.get(header.run);
    watched?.log.frame(header, bytes);
    this.#tellSoon();
    if (watched?.log.latencies) this.#tellLatenciesSoon();
    this.#acks.consume(data.byteLength);
  }

  #text(data: string): void {
    let message: AgentMessage;
    try {
      message = JSON.parse(data) as AgentMessage;
    } catch {
      return;
    }
    if (message.type === 'run.events') {
      const log = this.#logOf(message.runId);
      for (const e of message.events) if (e.kind === 'dropped') log?.notRecorded(e);
      this.#tellSoon();
    } else if (message.type === 'run.dropped') {
      if (message.what === 'completions')
        this.#logOf(message.runId)?.missed(message.records, message.recorded);
      this.#tellSoon();
    } else if (message.type === 'run.live' || message.type === 'run.complete') {
      // A page that hears this has all that came before.
      this.#tell();
      this.#tellLatencies();
    }
    this.#post({ type: 'message', message, bytes: data.length });
  }

  #logOf(runId: string): CompletionLog | undefined {
    for (const w of this.#watched.values()) if (w.runId === runId) return w.log;
    return undefined;
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(
      () => this.#tell(),
      Math.max(0, this.#toldAt + INTERVAL_MS - performance.now()),
    );
  }

  #tell(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#toldAt = performance.now();
    for (const [run, w] of this.#watched) {
      if (w.told === w.log.version) continue;
      w.told = w.log.version;
      const { ring, lastSeq } = w.log;
      this.#post({ type: 'completions', run, lastSeq, latest: ring.snapshot(NEWEST) });
    }
  }

  #tellLatenciesSoon(): void {
    this.#latencyTimer ??= setTimeout(
      () => this.#tellLatencies(),
      Math.max(INTERVAL_MS, this.#timedAt + LATENCIES_MS - performance.now()),
    );
  }

  #tellLatencies(): void {
    if (this.#latencyTimer !== null) clearTimeout(this.#latencyTimer);
    this.#latencyTimer = null;
    this.#timedAt = performance.now();
    for (const [run, w] of this.#watched) {
      if (w.log.latencies === null || w.timed === w.log.version) continue;
      w.timed = w.log.version;
      this.#post({ type: 'latencies', run, latencies: w.log.latencies.snapshot() });
    }
  }

  #newAcks(): Acknowledgments {
    return new Acknowledgments((text) => this.#send(text));
  }

  #send(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }
}
