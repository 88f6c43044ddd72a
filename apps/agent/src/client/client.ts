import { once } from 'node:events';
import {
  ACK_BYTES,
  AppError,
  decodeHeader,
  PROTOCOL_VERSION,
  REPLY_OF,
  zAgentMessage,
  type AgentMessage,
  type AgentMessageOf,
  type CLIENT_MESSAGES,
  type ReplyOf,
  type RequestType,
} from '@verbslab/protocol';
import { WebSocket } from 'ws';
import type { z } from 'zod';

type RequestOf<T extends RequestType> = Omit<z.input<(typeof CLIENT_MESSAGES)[T]>, 'type' | 'id'>;

export interface ClientEvents {
  /** What the agent sends without being asked. */
  onMessage?: (message: AgentMessage) => void;
  onFrame?: (frame: Uint8Array) => void;
  /** The connection is gone; pending requests have been rejected. */
  onClose?: () => void;
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

  private constructor(url: string, socket: WebSocket, events: ClientEvents) {
    this.#url = url;
    this.#socket = socket;
    this.#events = events;
    socket.on('message', (data: Buffer, isBinary) => this.#onMessage(data, isBinary));
    socket.on('error', () => undefined);
    socket.on('close', (_code, reason) => {
      const detail = reason.toString() || 'the connection closed';
      for (const { reject } of this.#pending.values()) {
        reject(new AppError('AGENT_UNREACHABLE', { url, detail }));
      }
      this.#pending.clear();
      events.onClose?.();
    });
  }

  /** Connects and says hello. Rejects with AGENT_UNREACHABLE or what the agent answers. */
  static async connect(
    url: string,
    token: string,
    events: ClientEvents = {},
  ): Promise<{ client: AgentClient; welcome: AgentMessageOf<'welcome'> }> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
      headers: { Authorization: `Bearer ${token}` },
      handshakeTimeout: 5_000,
      maxPayload: 64 * 1024 * 1024,
      perMessageDeflate: false,
    });
    const client = new AgentClient(url, socket, events);
    try {
      await once(socket, 'open');
    } catch (error) {
      throw new AppError('AGENT_UNREACHABLE', { url, detail: (error as Error).message }, { cause: error });
    }
    const welcome = await client.request('hello', { protocol: PROTOCOL_VERSION, client: 'cli' });
    return { client, welcome };
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
    if (isBinary) {
      decodeHeader(data);
      this.#events.onFrame?.(data);
      this.#consume(data.length);
      return;
    }
    const text = data.toString();
    const message = zAgentMessage.parse(JSON.parse(text));
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

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, 'close');
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), 1_000);
    await closed;
    clearTimeout(timer);
  }
}
