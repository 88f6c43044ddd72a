import type { EventEmitter } from 'node:events';
import {
  ASKED,
  type AgentMessage,
  type AppError,
  type Asked,
  type ClientType,
  type ReplyOf,
  type RequestType,
} from '@verbslab/protocol';
import type { z } from 'zod';

/**
 * The kind of client on a connection. The secret that opened the connection decides, never what the client says:
 * - `owner`: a program that sent the token;
 * - `page`: a browser with a session;
 * - `peer`: an agent that sent the secret of a join string.
 */
export type Role = 'owner' | 'page' | 'peer';

/** A connected client, as handlers of its messages see it. */
export interface Client {
  readonly role: Role;
  /** The kind that the client named in `hello`. */
  readonly says: 'web' | 'cli' | 'peer' | null;
  /** Bytes that the client has not read yet. */
  readonly waiting: number;
  /**
   * Accepts the client's `hello`: the client may now send requests, and an owner receives changes. Throws HELLO_TWICE.
   */
  greet(says: 'web' | 'cli' | 'peer'): void;
  send(message: AgentMessage): void;
  /** Sends a message that is JSON already, or a binary frame. `written` is called when its memory is no longer read. */
  write(data: string | Buffer, written?: () => void): void;
  /** Calls `closed` when the connection has ended. */
  onClose(closed: () => void): void;
}

/** The reply to a message, without what the connection adds. */
export type Body<T extends RequestType> = Omit<ReplyOf<T>, 'type' | 're'>;

/** A message of the table with its handler, which gives the reply without `type` and `re`. */
export interface Answer {
  readonly asked: Asked;
  /** `received`: CLOCK_MONOTONIC when the message came in, ns. */
  handle(message: never, client: Client, received: bigint): object | void | Promise<object | void>;
}

type Reply<E extends Asked> = E extends { reply: { schema: infer S extends z.ZodObject } }
  ? Omit<z.infer<S>, 'type' | 're'>
  : void;

export const answer = <E extends Asked>(
  asked: E,
  handle: (message: z.infer<E['schema']>, client: Client, received: bigint) => Reply<E> | Promise<Reply<E>>,
): Answer => ({ asked, handle });

type Handlers = {
  [T in ClientType]?: (
    message: z.infer<(typeof ASKED)[T]['schema']>,
    client: Client,
    received: bigint,
  ) => T extends RequestType ? Body<T> | Promise<Body<T>> : void;
};

/** Handlers of messages of the table, by type. */
export const answers = (handlers: Handlers): Answer[] =>
  Object.entries(handlers).map(([type, handle]) => answer(ASKED[type as ClientType], handle as never));

/** A part of the agent. The agent is a list of them. */
export interface Subsystem {
  /** Client messages that the subsystem answers. */
  readonly messages?: readonly Answer[];
  /** Sends a client of the owner what changes, until the returned function is called. */
  changes?(send: (message: AgentMessage) => void): () => void;
  /**
   * Returns RUN_BUSY while the subsystem uses the devices of this host, else null: only one subsystem may use them at a
   * time.
   */
  busy?(): AppError | null;
  /** Handles a binary frame of a client. */
  frame?(client: Client, frame: Buffer): void;
  close?(): void | Promise<void>;
}

type Listeners<M> = { [K in keyof M]?: M[K] extends unknown[] ? (...args: M[K]) => void : never };

/** Listens to events until the returned function is called. */
export function hear<M extends Record<keyof M, unknown[]>>(
  emitter: EventEmitter<M>,
  listeners: Listeners<M>,
): () => void {
  const plain = emitter as unknown as EventEmitter;
  const all = Object.entries(listeners) as [string, (...args: unknown[]) => void][];
  for (const [event, listener] of all) plain.on(event, listener);
  return () => {
    for (const [event, listener] of all) plain.off(event, listener);
  };
}

/** Keeps a value per client: made at the first request for it, and ended with the connection. */
export function perClient<T>(make: (client: Client) => T, end: (kept: T) => void): (client: Client) => T {
  const all = new WeakMap<Client, { kept: T }>();
  return (client) => {
    const known = all.get(client);
    if (known) return known.kept;
    const kept = make(client);
    all.set(client, { kept });
    client.onClose(() => end(kept));
    return kept;
  };
}
