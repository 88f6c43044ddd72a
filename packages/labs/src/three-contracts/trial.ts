/** Messages from the client to the server, and their arrival. */
import type { LabContext, Wc } from '@verbslab/protocol';
import { PATIENCE_MS, type Bench, type Pair } from '../failures/bench.js';
import { runList } from '../base/format.js';
import { hashOf, type Side } from '../endpoints/side.js';
import { SLOT } from './limits.js';
import type { ContractsParams } from './params.js';

export type Context = LabContext<ContractsParams>;

/** A message that the client has composed: its length, and the SHA-256 of its bytes. */
export interface Message {
  length: number;
  sha256: string;
}

export interface Seen {
  client: Wc[];
  server: Wc[];
  /** Messages that the client posted. */
  sent: number;
  /** Messages that the server has whole, at their place in the order. */
  right: number;
}

/** 4.096 µs × 2^18 = 1.07 s. The ACK timeout of the kernel’s rxe goes on while it waits after an RNR NAK. */
const ACK_TIMEOUT = 18;
/** 67 ms, for trials that wait for it several times. */
const SHORT_TIMEOUT = 14;
/** Code of 0.64 ms. */
const RNR_TIMER = 12;
/** `rnr_retry` that is no limit. */
const WITHOUT_END = 7;

/**
 * A connection for one trial, which `bench.clear` takes down. `unanswered`: packets that get no answer are part of it.
 */
export async function connect(
  { params: { retries } }: Context,
  bench: Bench,
  { rnrRetry = WITHOUT_END, unanswered = false } = {},
): Promise<Pair> {
  const timeout = unanswered ? SHORT_TIMEOUT : ACK_TIMEOUT;
  const settings = { timeout, retryCount: retries, minRnrTimer: RNR_TIMER, rnrRetry };
  return bench.pair(settings, settings);
}

/** Fills `slot` of the client’s memory with the bytes of message `index`. */
export async function compose(
  { client }: Pair,
  index: number,
  length: number,
  slot = index,
): Promise<Message> {
  const offset = slot * SLOT;
  await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset, length, seed: index + 1 });
  return { length, sha256: await hashOf(client, offset, length) };
}

export async function post({ client }: Pair, index: number, length: number, slot = index): Promise<void> {
  const local = [{ mr: client.mr.mr, offset: slot * SLOT, length }];
  await client.endpoint.call('postSend', { qp: client.qp.qp, wr: { wrId: index, opcode: 'SEND', local } });
}

/** Composes each message in a slot of its own, and posts them all. `from`: number of the first. */
export async function postAll(pair: Pair, lengths: readonly number[], from = 0): Promise<Message[]> {
  const messages: Message[] = [];
  for (const [i, length] of lengths.entries()) messages.push(await compose(pair, from + i, length, i));
  for (const [i, length] of lengths.entries()) await post(pair, i, length);
  return messages;
}

/** Posts a RECV per length, each with a slot of its own. */
export async function postRecvs({ server }: Pair, lengths: readonly number[]): Promise<void> {
  for (const [i, length] of lengths.entries())
    await server.endpoint.call('postRecv', {
      qp: server.qp.qp,
      wr: { wrId: i, local: [{ mr: server.mr.mr, offset: i * SLOT, length }] },
    });
}

/** The next completions of a side: `count` of them, fewer where they do not come. */
export async function next({ endpoint, cq }: Pick<Side, 'endpoint' | 'cq'>, count: number): Promise<Wc[]> {
  if (count === 0) return [];
  return (await endpoint.call('waitCq', { cq, count, timeoutMs: PATIENCE_MS })).completions;
}

/**
 * Counts the messages that arrived at the server. `count`: completions to wait for; with 0, those that are there count.
 */
export async function arrivals(
  { server }: Pair,
  messages: readonly Message[],
  count: number,
): Promise<Pick<Seen, 'server' | 'sent' | 'right'>> {
  const found =
    count > 0
      ? await next(server, count)
      : (await server.endpoint.call('pollCq', { cq: server.cq })).completions;
  let right = 0;
  for (const [i, { length, sha256 }] of messages.entries()) {
    const wc = found[i];
    const whole = wc?.status === 0 && wc.wrId === i && wc.byteLen === length;
    if (whole && (await hashOf(server, i * SLOT, length)) === sha256) right++;
  }
  return { server: found, sent: messages.length, right };
}

export const allGood = (completions: readonly Wc[], count: number): boolean =>
  completions.length === count && completions.every(({ status }) => status === 0);

/** The programs that find an error status in their CQs. */
export function toldTo({ client, server }: Seen): 'both' | 'client' | 'server' | 'neither' {
  const [atClient, atServer] = [client, server].map((list) => list.some(({ status }) => status !== 0));
  if (atClient && atServer) return 'both';
  return atClient ? 'client' : atServer ? 'server' : 'neither';
}

const statuses = (completions: readonly Wc[]): string =>
  runList(completions.map(({ statusName }) => statusName)) || 'none';

type Contract = 'Memory' | 'Messages' | 'Delivery';

/** Adds a line to the table. */
export function report(ctx: Context, contract: Contract, program: string, seen: Seen): void {
  ctx.row('trials', {
    contract,
    program,
    client: statuses(seen.client),
    server: statuses(seen.server),
    sent: seen.sent,
    right: seen.right,
    told: toldTo(seen),
  });
}

/** Runs a trial and takes down what it left. */
export async function trial<T>(bench: Bench, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } finally {
    await bench.clear();
  }
}
