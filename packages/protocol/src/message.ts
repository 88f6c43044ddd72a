// Form of an entry in the table of messages (messages.ts).
import { z } from 'zod';
import { PLAIN_MS } from './connection.js';
import { zU32 } from './verbs.js';

/**
 * Allowed senders of a message. `owner`: a program with the token, or a signed-in page. `program`: only the former.
 * `peer`: a paired agent. `anyone`: all of them.
 */
export type Sender = 'owner' | 'program' | 'peer' | 'anyone';

interface About {
  /** Default: `owner`. */
  from?: Sender;
  /** Row of docs/protocol.md, Markdown. */
  what: string;
}

/**
 * A message with one reply: the agent’s `reply`, or `error`. `patience`: time that the agent may take, ms; a client
 * gives up after that. Null: the request itself contains its time limit, or its command has another limit.
 */
export const request = <T extends string, I extends z.ZodRawShape, R extends AnyReply>(
  type: T,
  input: I,
  reply: R,
  { from = 'owner', patience = PLAIN_MS, what }: About & { patience?: number | null },
) => ({
  kind: 'request' as const,
  type,
  schema: z.object({ type: z.literal(type), id: zU32, ...input }),
  reply,
  from,
  patience,
  what,
});

/** A message of a client without a reply, unless it leads to an `error`. */
export const notice = <T extends string, I extends z.ZodRawShape>(
  type: T,
  input: I,
  { from = 'owner', what }: About,
) => ({
  kind: 'notice' as const,
  type,
  schema: z.object({ type: z.literal(type), id: zU32.optional(), ...input }),
  from,
  what,
});

export const reply = <T extends string, O extends z.ZodRawShape>(type: T, output: O) => ({
  type,
  schema: z.object({ type: z.literal(type), re: zU32, ...output }),
});
interface AnyReply {
  type: string;
  schema: z.ZodObject;
}

/** A message that the agent sends without a request. */
export const push = <T extends string, O extends z.ZodRawShape>(type: T, output: O) => ({
  kind: 'push' as const,
  type,
  schema: z.object({ type: z.literal(type), ...output }),
});

/** A message of a client, in the table or in a test. */
export type Asked = { type: string; schema: z.ZodObject; from: Sender; what: string } & (
  | { kind: 'request'; reply: AnyReply; patience: number | null }
  | { kind: 'notice' }
);
