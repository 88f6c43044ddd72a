import type {
  AgentMessage,
  AgentMessageOf,
  ClientMessageOf,
  ErrorInfo,
  ReplyOf,
  RequestType,
} from '@verbslab/protocol';
import { backOff } from './back-off';

/** As in packages/protocol; repeated here because importing it would bring every schema into the first load. */
export const PROTOCOL_VERSION = 1;
const ACK_BYTES = 256 * 1024;
const PING_INTERVAL_MS = 30_000;
const PING_TIMEOUT_MS = 5_000;
/** No request takes the agent this long, however busy the machine is. */
const ANSWER_TIMEOUT_MS = 20_000;

/** An error that the agent sent, or that the connection made. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly info:
    ErrorInfo | { code: 'DISCONNECTED' | 'NO_ANSWER'; message: string; cure: string; detail?: string };
  constructor(info: AgentError['info']) {
    super(info.message);
    this.info = info;
  }
}

export type Refusal = 'unreachable' | 'unauthorised' | 'protocol';

export interface ClientEvents {
  /** The socket opened and the agent said welcome. */
  welcome: (m: AgentMessageOf<'welcome'>) => void;
  /** The connection is gone; the next attempt comes at `retryAt` (ms since 1970), or never when null. */
  lost: (why: Refusal, attempt: number, retryAt: number | null) => void;
  connecting: () => void;
  /** Messages that answer no request. */
  message: (m: AgentMessage) => void;
  frame: (bytes: Uint8Array) => void;
}

interface Pending {
  resolve: (m: never) => void;
  reject: (e: AgentError) => void;
  giveUp: ReturnType<typeof setTimeout>;
}

type RequestBody<T extends RequestType> = Omit<ClientMessageOf<T>, 'type' | 'id'>;

/**
 * The connection to the agent: one WebSocket, opened again with growing pauses when it drops. Requests get
 * promises; what comes unasked goes to the listener. Stream bytes are acknowledged as they are consumed.
 */
export class AgentClient {
  readonly #url: string;
  readonly #on: ClientEvents;
  #socket: WebSocket | null = null;
  #nextId = 1;
  #pending = new Map<number, Pending>();
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #ping: ReturnType<typeof setInterval> | null = null;
  #consumed = 0;
  #acknowledged = 0;
  #stopped = false;

  constructor(url: string, on: ClientEvents) {
    this.#url = url;
    this.#on = on;
  }

  start(): void {
    this.#stopped = false;
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#socket?.close(1000);
  }

  /** Tries at once instead of waiting for the pause to end. */
  retryNow(): void {
    if (this.#socket || this.#stopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#connect();
  }

  request<T extends RequestType>(type: T, body: RequestBody<T>): Promise<ReplyOf<T>> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(disconnected());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#pending.delete(id);
        reject(noAnswer(type));
      }, ANSWER_TIMEOUT_MS);
      this.#pending.set(id, { resolve, reject, giveUp });
      socket.send(JSON.stringify({ type, id, ...body }));
    });
  }

  #connect(): void {
    this.#timer = null;
    this.#on.connecting();
    const socket = new WebSocket(this.#url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#consumed = 0;
    this.#acknowledged = 0;
    socket.onopen = () => {
      this.request('hello', { protocol: PROTOCOL_VERSION, client: 'web' }).then(
        (welcome) => {
          this.#attempt = 0;
          this.#startPing();
          this.#on.welcome(welcome);
        },
        (e: unknown) => {
          if (e instanceof AgentError && e.info.code === 'PROTOCOL_VERSION') {
            this.#stopped = true;
            this.#on.lost('protocol', 0, null);
          }
          socket.close();
        },
      );
    };
    socket.onmessage = (e: MessageEvent<string | ArrayBuffer>) => this.#receive(e.data);
    socket.onclose = () => void this.#closed(socket);
  }

  #receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      this.#on.frame(new Uint8Array(data));
      this.#consume(data.byteLength);
      return;
    }
    let m: AgentMessage;
    try {
      m = JSON.parse(data) as AgentMessage;
    } catch {
      return;
    }
    const re = 're' in m ? m.re : undefined;
    const waiting = re === undefined ? undefined : this.#pending.get(re);
    if (waiting && re !== undefined) {
      this.#pending.delete(re);
      clearTimeout(waiting.giveUp);
      if (m.type === 'error') waiting.reject(new AgentError(m));
      else waiting.resolve(m as never);
      return;
    }
    this.#on.message(m);
    if (m.type === 'run.events') this.#consume(data.length);
  }

  #consume(bytes: number): void {
    this.#consumed += bytes;
    if (this.#consumed - this.#acknowledged < ACK_BYTES) return;
    this.#acknowledged = this.#consumed;
    this.#socket?.send(JSON.stringify({ type: 'run.ack', bytes: this.#consumed }));
  }

  #startPing(): void {
    this.#ping = setInterval(() => {
      const socket = this.#socket;
      const giveUp = setTimeout(() => socket?.close(), PING_TIMEOUT_MS);
      this.request('ping', {}).then(
        () => clearTimeout(giveUp),
        () => clearTimeout(giveUp),
      );
    }, PING_INTERVAL_MS);
  }

  async #closed(socket: WebSocket): Promise<void> {
    if (this.#socket !== socket) return;
    this.#socket = null;
    if (this.#ping) clearInterval(this.#ping);
    const pending = this.#pending;
    this.#pending = new Map();
    for (const p of pending.values()) {
      clearTimeout(p.giveUp);
      p.reject(disconnected());
    }
    if (this.#stopped) return;
    const wait = backOff(this.#attempt++);
    this.#timer = setTimeout(() => this.#connect(), wait);
    const retryAt = Date.now() + wait;
    const attempt = this.#attempt;
    const why = await diagnose();
    // The next attempt may have begun while we asked.
    if (this.#timer !== null) this.#on.lost(why, attempt, retryAt);
  }
}

/** A refused upgrade tells a page nothing; the health address, open to all of this origin, tells the rest. */
async function diagnose(): Promise<Refusal> {
  try {
    const r = await fetch('/api/health', { signal: AbortSignal.timeout(2_000), cache: 'no-store' });
    return r.ok ? 'unauthorised' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}

function disconnected(): AgentError {
  return new AgentError({
    code: 'DISCONNECTED',
    message: 'The connection to the agent is down.',
    cure: 'The page tries again by itself; start the agent with `verbslab up` if it has ended.',
  });
}

function noAnswer(type: RequestType): AgentError {
  return new AgentError({
    code: 'NO_ANSWER',
    message: `The agent did not answer within ${ANSWER_TIMEOUT_MS / 1000} s.`,
    cure: 'Try again; the machine may be overloaded. If it stays so, restart the agent.',
    detail: type,
  });
}
