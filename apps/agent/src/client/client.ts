import { once } from 'node:events';
import {
  ACK_BYTES,
  AppError,
  decodeHeader,
  PROTOCOL_VERSION,
  REPLY_OF,
  zAgentMessage,
  zErrorInfo,
  type AgentMessage,
  type AgentMessageOf,
  type CLIENT_MESSAGES,
  type ReplyOf,
  type RequestType,
} from '@verbslab/protocol';
import { WebSocket } from 'ws';
import { pinned } from '../tls/pinned.js';
import { z } from 'zod';

type RequestOf<T extends RequestType> = Omit<z.input<(typeof CLIENT_MESSAGES)[T]>, 'type' | 'id'>;

export interface ClientEvents {
  /** What the agent sends without being asked. */
  onMessage?: (message: AgentMessage) => void;
  onFrame?: (frame: Uint8Array) => void;
  /** The connection is gone, and why; pending requests have been rejected. */
  onClose?: (detail: string) => void;
}

/** An agent lists its devices before it says welcome, which a busy machine takes its time for. */
const HELLO_MS = 20_000;

export interface ConnectOptions {
  /** Of the agent’s certificate, for an https address. */
  fingerprint?: string | undefined;
  /** Default: `cli`. */
  as?: 'cli' | 'peer';
}

/** A WebSocket client of an agent, as the command uses it: requests with replies, and a subscribed stream. */
export class AgentClient {
  readonly #socket: WebSocket;
  readonly #url: string;
  readonly #events: ClientEvents;
  readonly #pending = new Map<
    number,
    { resolve: (message: AgentMessage) => void; reject: (error: AppError) => void }
  >();
  #nextId = 1;
  #consumed = 0;
  #acknowledged = 0;
  #broken = '';

  private constructor(url: string, socket: WebSocket, events: ClientEvents) {
    this.#url = url;
    this.#socket = socket;
    this.#events = events;
    socket.on('message', (data: Buffer, isBinary) => this.#onMessage(data, isBinary));
    socket.on('error', () => undefined);
    socket.on('close', (_code, reason) => {
      const detail = this.#broken || reason.toString() || 'the connection closed';
      for (const { reject } of this.#pending.values()) {
        reject(new AppError('AGENT_UNREACHABLE', { url, detail }));
      }
      this.#pending.clear();
      events.onClose?.(detail);
    });
  }

  /** Connects and says hello. Rejects with AGENT_UNREACHABLE, PEER_UNTRUSTED, or what the agent answers. */
  static async connect(
    url: string,
    token: string,
    events: ClientEvents = {},
    { fingerprint, as = 'cli' }: ConnectOptions = {},
  ): Promise<{ client: AgentClient; welcome: AgentMessageOf<'welcome'> }> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
      headers: { Authorization: `Bearer ${token}` },
      handshakeTimeout: 5_000,
      maxPayload: 64 * 1024 * 1024,
      perMessageDeflate: false,
      ...(url.startsWith('https:') ? { createConnection: pinned(fingerprint ?? '', new URL(url).host) } : {}),
    });
    const client = new AgentClient(url, socket, events);
    try {
      await opened(socket);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('AGENT_UNREACHABLE', { url, detail: (error as Error).message }, { cause: error });
    }
    const timer = setTimeout(() => socket.terminate(), HELLO_MS);
    try {
      const welcome = await client.request('hello', { protocol: PROTOCOL_VERSION, client: as });
      return { client, welcome };
    } catch (error) {
      socket.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  request<T extends RequestType>(type: T, body: RequestOf<T>): Promise<ReplyOf<T>> {
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== WebSocket.OPEN) {
        reject(new AppError('AGENT_UNREACHABLE', { url: this.#url, detail: 'the connection is closed' }));
        return;
      }
      const id = this.#nextId++;
      this.#pending.set(id, {
        reject,
        resolve: (message) => {
          if (message.type === REPLY_OF[type]) resolve(message as ReplyOf<T>);
          else reject(new AppError('INTERNAL', { detail: `${type} was answered by ${message.type}` }));
        },
      });
      this.#socket.send(JSON.stringify({ type, id, ...body }));
    });
  }

  /** Bytes that wait to be sent. */
  get waiting(): number {
    return this.#socket.bufferedAmount;
  }

  /** A message that gets no reply, or a binary frame. Nothing happens once the connection is gone. */
  send(message: z.input<(typeof CLIENT_MESSAGES)['program.events']> | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(message instanceof Uint8Array ? message : JSON.stringify(message));
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    let message: AgentMessage | null = null;
    const text = isBinary ? '' : data.toString();
    try {
      if (isBinary) decodeHeader(data);
      else message = zAgentMessage.parse(JSON.parse(text));
    } catch (error) {
      this.#broken = `it sent what nobody can read (${(error as Error).message.slice(0, 200)})`;
      this.#socket.terminate();
      return;
    }
    if (message === null) {
      this.#events.onFrame?.(data);
      this.#consume(data.length);
      return;
    }
    if (message.type === 'run.events') this.#consume(text.length);
    const re = 're' in message ? message.re : undefined;
    const pending = re === undefined ? undefined : this.#pending.get(re);
    if (re === undefined || !pending) {
      this.#events.onMessage?.(message);
      return;
    }
    this.#pending.delete(re);
    if (message.type === 'error') {
      const { code, message: text, cure, detail } = message;
      pending.reject(
        AppError.from({ code, message: text, cure, ...(detail === undefined ? {} : { detail }) }),
      );
    } else {
      pending.resolve(message);
    }
  }

  #consume(bytes: number): void {
    this.#consumed += bytes;
    if (this.#consumed - this.#acknowledged < ACK_BYTES) return;
    this.#acknowledged = this.#consumed;
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ type: 'run.ack', bytes: this.#consumed }));
    }
  }

  /** Lets go at once, without a good-bye; `why` is what whoever waits is told. */
  terminate(why = ''): void {
    this.#broken ||= why;
    this.#socket.terminate();
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, 'close');
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), 1_000);
    await closed;
    clearTimeout(timer);
  }
}

/** Resolves with the connection; rejects with what the agent answered instead, where it did. */
function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString().slice(0, 65_536)));
      response.once('close', () => {
        const told = zRefusal.safeParse(parsed(body)).data;
        reject(told ? AppError.from(told.error) : new Error(`it answered HTTP ${response.statusCode ?? 0}`));
        request.destroy();
      });
    });
  });
}

const zRefusal = z.object({ error: zErrorInfo });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
