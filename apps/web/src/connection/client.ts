import type { LatencySnapshot } from '@verbslab/charts/data';
import {
  PendingRequests,
  PING_INTERVAL_MS,
  PROTOCOL_VERSION,
  type AgentMessage,
  type AgentMessageOf,
  type BodyOf,
  type ErrorInfo,
  type ReplyOf,
  type RequestType,
} from '@verbslab/protocol';
import { NO_COMPLETIONS, type CompletionSnapshot } from '../model/completion-snapshot';
import { backOff } from './back-off';
import { signInAgain, type Resume } from './sign-in-again';
import type { FromStream, Link } from './link';

/** An error from the agent or from the connection. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly info:
    | ErrorInfo
    | { code: 'DISCONNECTED' | 'NO_ANSWER'; message: string; cure: string; detail?: string };
  constructor(info: AgentError['info']) {
    super(info.message);
    this.info = info;
  }
}

export type Refusal = 'unreachable' | 'unauthorized' | 'protocol' | 'refused';

export interface ClientEvents {
  /** The agent accepted the connection. */
  welcome: (m: AgentMessageOf<'welcome'>) => void;
  /** The connection is lost. The next attempt is at `retryAt` (ms since 1970), or never if null. */
  lost: (why: Refusal, attempt: number, retryAt: number | null) => void;
  connecting: () => void;
  /** Messages that answer no request. */
  message: (m: AgentMessage) => void;
  frame: (bytes: Uint8Array) => void;
  /** Latencies of a program's requests so far. */
  latencies: (run: number, latencies: LatencySnapshot) => void;
  /** Latest completions of a run, and the sequence number of the last stream item in them. */
  completions: (run: number, latest: CompletionSnapshot, lastSeq: number) => void;
}

/** Time after which an attempt to connect is given up. The page then says that the agent does not answer. */
export const OPENING_MS = 10_000;

/**
 * Connection to the agent: a WebSocket behind a link, reopened with growing pauses after a loss. Requests return
 * promises; other messages go to the listener. The link learns what has been consumed.
 */
export class AgentClient {
  readonly #url: string;
  readonly #on: ClientEvents;
  readonly #link: Link;
  #socket: 'none' | 'opening' | 'open' | 'closing' = 'none';
  readonly #requests = new PendingRequests({
    send: (text) => this.#link.post({ type: 'send', text }),
    after: (ms, expired) => {
      const timer = setTimeout(expired, ms);
      return () => clearTimeout(timer);
    },
    noAnswer,
  });
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #opening: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | null = null;
  readonly #still = new Map<number, ((s: CompletionSnapshot) => void)[]>();
  #stopped = false;
  #resume: Resume | null = null;

  constructor(url: string, link: Link, on: ClientEvents) {
    this.#url = url;
    this.#link = link;
    this.#on = on;
    link.listen((m) => this.#hear(m));
  }

  start(): void {
    this.#stopped = false;
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#link.end();
    void this.#closed();
  }

  /** Connects now instead of at the end of the pause. */
  retryNow(): void {
    if (this.#socket !== 'none' || this.#stopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#connect();
  }

  request<T extends RequestType>(type: T, body: BodyOf<T>): Promise<ReplyOf<T>> {
    return this.#socket === 'open' ? this.#requests.request(type, body) : Promise.reject(disconnected());
  }

  /** Starts to keep the completions of a run. Call it before you ask for them. */
  watch(runId: string, run: number, latencies: boolean): void {
    this.#link.post({ type: 'watch', runId, run, latencies });
  }

  forget(run: number): void {
    // The link drops the run's completions, so pending requests for them would get no answer.
    for (const resolve of this.#still.get(run) ?? []) resolve(NO_COMPLETIONS);
    this.#still.delete(run);
    this.#link.post({ type: 'forget', run });
  }

  /** All kept completions of a watched run. */
  stillCompletions(run: number): Promise<CompletionSnapshot> {
    return new Promise((resolve) => {
      this.#still.set(run, [...(this.#still.get(run) ?? []), resolve]);
      this.#link.post({ type: 'still', run });
    });
  }

  #connect(): void {
    this.#timer = null;
    this.#on.connecting();
    this.#socket = 'opening';
    this.#link.post({ type: 'open', url: this.#url });
    // An agent that hangs still accepts connections, and browsers wait minutes for the handshake.
    clearTimeout(this.#opening);
    this.#opening = setTimeout(() => {
      if (this.#socket === 'opening') this.#link.post({ type: 'close' });
    }, OPENING_MS);
  }

  #hear(m: FromStream): void {
    switch (m.type) {
      case 'opened':
        this.#opened();
        break;
      case 'closed':
        void this.#closed();
        break;
      case 'message':
        this.#receive(m.message);
        if (m.message.type === 'run.events') this.#link.post({ type: 'consumed', bytes: m.bytes });
        break;
      case 'frame':
        this.#on.frame(m.bytes);
        this.#link.post({ type: 'consumed', bytes: m.bytes.byteLength });
        break;
      case 'completions':
        this.#on.completions(m.run, m.latest, m.lastSeq);
        break;
      case 'latencies':
        this.#on.latencies(m.run, m.latencies);
        break;
      case 'still': {
        const waiting = this.#still.get(m.run) ?? [];
        this.#still.delete(m.run);
        for (const resolve of waiting) resolve(m.completions);
        break;
      }
    }
  }

  #opened(): void {
    clearTimeout(this.#opening);
    this.#socket = 'open';
    this.request('hello', { protocol: PROTOCOL_VERSION, client: 'web' }).then(
      (welcome) => {
        this.#attempt = 0;
        this.#resume = welcome.resume ?? null;
        this.#startPing();
        this.#on.welcome(welcome);
      },
      (e: unknown) => {
        if (e instanceof AgentError && e.info.code === 'PROTOCOL_VERSION') {
          this.#stopped = true;
          this.#on.lost('protocol', 0, null);
        }
        this.#close();
      },
    );
  }

  #close(): void {
    if (this.#socket !== 'open') return;
    this.#socket = 'closing';
    this.#link.post({ type: 'close' });
  }

  #receive(m: AgentMessage): void {
    const pending = this.#requests.get('re' in m ? m.re : undefined);
    if (!pending) this.#on.message(m);
    else if (m.type === 'error') pending.reject(new AgentError(m));
    else pending.resolve(m);
  }

  #startPing(): void {
    this.#ping = setInterval(() => {
      this.request('ping', {}).catch((e: unknown) => {
        if (e instanceof AgentError && e.info.code === 'NO_ANSWER') this.#close();
      });
    }, PING_INTERVAL_MS);
  }

  async #closed(): Promise<void> {
    this.#socket = 'none';
    clearTimeout(this.#opening);
    if (this.#ping) clearInterval(this.#ping);
    this.#requests.rejectAll(disconnected);
    if (this.#stopped) return;
    const wait = backOff(this.#attempt++);
    this.#timer = setTimeout(() => this.#connect(), wait);
    const retryAt = Date.now() + wait;
    const attempt = this.#attempt;
    const why = await diagnose();
    const resume = this.#resume;
    // The next welcome brings a new token.
    if (why === 'unauthorized') this.#resume = null;
    if (why === 'unauthorized' && resume && (await signInAgain(resume))) {
      this.retryNow();
      return;
    }
    // The next attempt may have begun in the meantime.
    if (this.#timer !== null) this.#on.lost(why, attempt, retryAt);
  }
}

/**
 * Finds the reason for a refused upgrade. Browsers hide it from pages, but the health address, open to this whole
 * origin, tells it.
 */
async function diagnose(): Promise<Refusal> {
  try {
    const r = await fetch('/api/health', { signal: AbortSignal.timeout(2_000), cache: 'no-store' });
    if (!r.ok) return 'unreachable';
    const { signedIn } = (await r.json()) as { signedIn?: boolean };
    return signedIn === true ? 'refused' : 'unauthorized';
  } catch {
    return 'unreachable';
  }
}

function disconnected(): AgentError {
  return new AgentError({
    code: 'DISCONNECTED',
    message: 'The connection to the agent is down.',
    cure: 'The page reconnects by itself. If the agent has stopped, start it with `npm start` in the Verbs Lab folder.',
  });
}

function noAnswer(type: RequestType, seconds: number): AgentError {
  return new AgentError({
    code: 'NO_ANSWER',
    message: `The agent did not answer within ${seconds} s.`,
    cure: 'Try again; the machine may be overloaded. If it happens again, restart the agent.',
    detail: type,
  });
}
