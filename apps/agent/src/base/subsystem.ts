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
 * Who speaks on a connection. It follows from the secret that opened the connection, never from what the client says:
 *  - `owner`: a program that sent the token;
 *  - `page`: a browser with a session;
 *  - `peer`: an agent that sent the secret of a join string.
 */
export type Role = 'owner' | 'page' | 'peer';

/** A connected client, as handlers of its messages see it. */
export interface Client {
  readonly role: Role;
  /** What it called itself in `hello`. */
  readonly says: 'web' | 'cli' | 'peer' | null;
  /** Bytes that wait for it to read. */
  readonly waiting: number;
  /** Accepts its `hello`: it may now send requests, and an owner hears of changes. Throws HELLO_TWICE. */
  greet(says: 'web' | 'cli' | 'peer'): void;
  send(message: AgentMessage): void;
  /** Sends a message that is JSON already, or a binary frame. `written`: its memory is not read any more. */
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
  /** Messages of clients that it answers. */
  readonly messages?: readonly Answer[];
  /** Tells a client of the owner what changes, until the function that it gives is called. */
  changes?(send: (message: AgentMessage) => void): () => void;
  /** RUN_BUSY while it uses the devices of this host, or null: one subsystem at a time does. */
  busy?(): AppError | null;
  /** Takes a binary frame of a client. */
  frame?(client: Client, frame: Buffer): void;
  close?(): void | Promise<void>;
}

type Listeners<M> = { [K in keyof M]?: M[K] extends unknown[] ? (...args: M[K]) => void : never };

/** Listens to events until the function that it gives is called. */
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

/** What a subsystem keeps for each client: made when it is first asked for, and ended with the connection. */
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
