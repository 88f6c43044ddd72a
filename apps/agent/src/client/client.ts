import {
  Acknowledgments,
  AGENT_MESSAGES,
  AppError,
  ASKED,
  checkFrame,
  decodeHistogram,
  HANDSHAKE_MS,
  HELLO_MS,
  HOSTED_MESSAGES,
  isForeignFrame,
  issueText,
  LatencyHistogram,
  parseJson,
  PendingRequests,
  PROTOCOL_VERSION,
  zErrorInfo,
  type AgentMessage,
  type AgentMessageOf,
  type AgentType,
  type BodyOf,
  type ClientMessageOf,
  type ReplyOf,
  type RequestType,
} from '@verbslab/protocol';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { hostPort, programUrl } from '../config/instance.js';
import { deadline } from '../base/deadline.js';
import { pinned } from '../base/pinned.js';
import { ofPeer, refuseFlood } from './from-peer.js';
import { Pace } from './pace.js';

export interface ClientEvents {
  /** Called for messages that answer no request. */
  onMessage?: (message: AgentMessage) => void;
  onFrame?: (frame: Uint8Array) => void;
  /** Called when the connection is gone, with the reason; pending requests have been rejected. */
  onClose?: (detail: string) => void;
}

/** The address of an agent, the proof of its identity, and the token that opens it. */
export interface AgentAddress {
  host: string;
  port: number;
  /** SHA-256 fingerprint of the agent's certificate. */
  fingerprint: string;
  token: string;
}

export interface ConnectOptions {
  /** Default: `cli`. */
  as?: 'cli' | 'peer';
  /** The name of the other agent, for errors. */
  name?: string;
  /** Aborting ends the connection, also while it is being made. */
  signal?: AbortSignal | undefined;
}

/** Longest message of the agent of this user. */
const MAX_OWN_BYTES = 64 * 1024 * 1024;
/** Longest message of another agent: what an endpoint process may send at once. */
const MAX_PEER_BYTES = 16 * 1024 * 1024;
/** Longest answer to a refused upgrade that is read. */
const MAX_REFUSAL_CHARS = 64 * 1024;

/** Messages that another agent sends about its endpoints. */
const FROM_PEERS = new Set<string>(
  HOSTED_MESSAGES.map((entry) => (entry.kind === 'push' ? entry : entry.reply).type),
);

/** Fields of every message, whatever its version. */
const zHead = z.object({ type: z.string(), re: z.number().optional() });

/** A WebSocket client of an agent, as the command uses it: requests with replies, and a subscribed stream. */
export class AgentClient {
  readonly #socket: WebSocket;
  readonly #url: string;
  readonly #events: ClientEvents;
  /** True for a connection between agents: it serves endpoints, and other news of the peer is ignored. */
  readonly #toPeer: boolean;
  /** The other agent, as the subject of a sentence. */
  readonly #who: string;
  readonly #pace: Pace;
  readonly #requests: PendingRequests;
  readonly #acks = new Acknowledgments((text) => this.#post(text));
  #broken = '';

  private constructor(
    url: string,
    socket: WebSocket,
    events: ClientEvents,
    as: 'cli' | 'peer',
    name?: string,
  ) {
    this.#url = url;
    this.#toPeer = as === 'peer';
    this.#who = `The agent ${name === undefined ? `at ${url}` : `on “${name}”`}`;
    this.#pace = new Pace(socket);
    this.#socket = socket;
    this.#events = events;
    this.#requests = new PendingRequests({
      send: (text) => this.#post(text),
      after: deadline,
      noAnswer: (type, seconds) => new AppError('NO_ANSWER', { url, type, seconds }),
    });
    socket.on('message', (data: Buffer, isBinary) => this.#onMessage(data, isBinary));
    socket.on('error', () => undefined);
    socket.on('close', (_code, reason) => {
      const detail = this.#broken || reason.toString() || 'the connection closed';
      this.#requests.rejectAll(() => new AppError('AGENT_UNREACHABLE', { url, detail }));
      events.onClose?.(detail);
    });
  }

  /**
   * Connects and says hello. The token is sent only after the other side has proved by its certificate that it is this
   * agent. Rejects with AGENT_UNREACHABLE, AGENT_PROTOCOL, PEER_UNTRUSTED, or the agent's error.
   */
  static async connect(
    { host, port, fingerprint, token }: AgentAddress,
    events: ClientEvents = {},
    { as = 'cli', name, signal }: ConnectOptions = {},
  ): Promise<{ client: AgentClient; welcome: AgentMessageOf<'welcome'> }> {
    const url = programUrl({ host, port });
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
      headers: { Authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: as === 'peer' ? MAX_PEER_BYTES : MAX_OWN_BYTES,
      perMessageDeflate: false,
      createConnection: pinned(fingerprint, hostPort(host, port)),
    });
    const client = new AgentClient(url, socket, events, as, name);
    const abort = (): void => client.terminate('it was cancelled');
    signal?.addEventListener('abort', abort, { once: true });
    socket.once('close', () => signal?.removeEventListener('abort', abort));
    if (signal?.aborted) abort();
    try {
      await opened(socket);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('AGENT_UNREACHABLE', { url, detail: (error as Error).message }, { cause: error });
    }
    try {
      const welcome = await client.request('hello', { protocol: PROTOCOL_VERSION, client: as });
      return { client, welcome };
    } catch (error) {
      socket.terminate();
      const silent = error instanceof AppError && error.code === 'NO_ANSWER';
      if (!silent) throw error;
      const detail = `it sent no welcome message within ${HELLO_MS / 1000} s`;
      throw new AppError('AGENT_UNREACHABLE', { url, detail }, { cause: error });
    }
  }

  request<T extends RequestType>(type: T, body: BodyOf<T>): Promise<ReplyOf<T>> {
    if (this.#socket.readyState === WebSocket.OPEN) return this.#requests.request(type, body);
    return Promise.reject(
      new AppError('AGENT_UNREACHABLE', { url: this.#url, detail: 'the connection is closed' }),
    );
  }

  /** Bytes that wait to be sent. */
  get waiting(): number {
    return this.#socket.bufferedAmount;
  }

  /** A message that gets no reply, or a binary frame. Nothing happens once the connection is gone. */
  send(
    message: ClientMessageOf<'program.events' | 'program.faulted' | 'simulation.progress'> | Uint8Array,
  ): void {
    this.#post(message instanceof Uint8Array ? message : JSON.stringify(message));
  }

  #post(data: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  #wrong(detail: string): AppError {
    return new AppError('AGENT_BROKEN', { who: this.#who, detail });
  }

  /** Handles a message. A message that cannot be read, or leads to an error here, ends only this connection. */
  #onMessage(data: Buffer, isBinary: boolean): void {
    const begin = performance.now();
    this.#read(data, isBinary);
    // The agent has others to serve.
    if (this.#toPeer) this.#pace.spent(performance.now() - begin);
  }

  #read(data: Buffer, isBinary: boolean): void {
    try {
      if (isBinary) {
        if (isForeignFrame(data)) return this.#acks.consume(data.length);
        const { kind } = checkFrame(data);
        if (this.#toPeer && kind === 'histogram') LatencyHistogram.decode(decodeHistogram(data));
        this.#events.onFrame?.(data);
        this.#acks.consume(data.length);
      } else {
        this.#onText(data.toString());
      }
    } catch (error) {
      const why =
        error instanceof z.ZodError ? issueText(error) : (error as Error).message.replace(/\.$/, '');
      this.terminate(`it sent an unreadable message (${why.slice(0, 200)})`);
    }
  }

  #onText(text: string): void {
    const raw = parseJson(text);
    const { type, re } = zHead.parse(raw);
    const pending = this.#requests.get(re);
    if (type === 'welcome') this.#checkProtocol(raw);
    if (!Object.hasOwn(AGENT_MESSAGES, type)) {
      // A newer agent may send more than this version knows.
      pending?.reject(this.#wrong(`“${type.slice(0, 64)}”, which is the answer to no request`));
      return;
    }
    if (this.#toPeer && !pending && !FROM_PEERS.has(type)) return;
    if (this.#toPeer) refuseFlood(raw);
    const message = AGENT_MESSAGES[type as AgentType].parse(
      // The peer's runs and labs are not needed, and their form may belong to another version.
      this.#toPeer && type === 'welcome' ? { ...(raw as object), labs: [], runs: [] } : raw,
    );
    if (message.type === 'run.events') this.#acks.consume(text.length);
    if (!pending) {
      // A reply without a pending request is late: its request has failed already.
      if (re === undefined) this.#events.onMessage?.(message);
      return;
    }
    if (message.type === 'error') {
      const { code, message: text, cure, detail } = message;
      const info = { code, message: text, cure, ...(detail === undefined ? {} : { detail }) };
      pending.reject(AppError.from(this.#toPeer ? ofPeer(info, this.#who) : info));
    } else if (message.type === ASKED[pending.type].reply.type) {
      pending.resolve(message);
    } else {
      pending.reject(this.#wrong(`“${message.type}” as the answer to ${pending.type}`));
    }
  }

  /** Checks the version before the rest of the message is read: another version may have other fields. */
  #checkProtocol(raw: unknown): void {
    const theirs = (raw as { protocol?: unknown }).protocol;
    if (theirs === PROTOCOL_VERSION) return;
    const error = new AppError('AGENT_PROTOCOL', {
      url: this.#url,
      theirs: typeof theirs === 'number' ? theirs : 'of no version',
      ours: PROTOCOL_VERSION,
    });
    this.#requests.rejectAll(() => error);
    throw error;
  }

  /** Disconnects at once, without a close handshake; pending requests are rejected with `why`. */
  terminate(why = ''): void {
    this.#broken ||= why;
    this.#socket.terminate();
  }

  /** Closes the connection. Never rejects. */
  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), 1_000);
    await closed;
    clearTimeout(timer);
  }
}

/** Resolves when the connection is open. Rejects with the agent's answer if there is one. */
function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
        if (body.length > MAX_REFUSAL_CHARS) response.destroy();
      });
      response.on('error', () => undefined);
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
