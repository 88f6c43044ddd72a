/** A program that posts signaled requests and polls late. */
import type { EndpointResult, LabContext, QpState, Wc } from '@verbslab/protocol';
import { intend } from '../endpoints/intend.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { tryPost, writeOf } from '../load/posting.js';
import type { CqOverrunParams } from './params.js';

type Context = LabContext<CqOverrunParams>;
type AsyncEvents = EndpointResult<'waitAsync'>['events'];

/** Bytes of each WRITE. */
const SIZE = 8;
/** Time for an event or completions that must come, ms. */
const EVENT_MS = 5000;
/** Time for an event that may come, ms. */
const MAYBE_MS = 200;

export interface Late {
  posted: number;
  /** Entries that the completion queue has. */
  entries: number;
  polled: Wc[];
  overrun: boolean;
}

/** State after an overrun. */
export interface Broken extends Late {
  events: string[];
  client: QpState;
  server: QpState;
  /** Posts after the overrun and the late poll that were accepted; `full` is true if ENOMEM ended them. */
  accepted: number;
  full: boolean;
  /** Completions of the accepted posts. */
  after: Wc[];
}

/** Requests that one run of `postLate` may need in the send queue. */
export const sendDepthOf = (params: CqOverrunParams, entries: number): number => 2 * entries + params.extra;

async function connect(ctx: Context): Promise<Pair> {
  const { entries, link } = ctx.params;
  // Twice the entries asked for: the device may have given more.
  const sendDepth = sendDepthOf(ctx.params, 2 * entries);
  return connectPair(ctx, { link, memory: 4096, sendDepth, cqDepth: entries });
}

/** Entries that the device makes when asked for `asked`. */
export async function entriesOf(ctx: Context): Promise<number> {
  const pair = await connect(ctx);
  await closePair(pair);
  return pair.client.cq.depth;
}

/** Posts without polling, then polls. `resize`: the completion queue grows before that. */
export async function postLate(ctx: Context, posted: number, resize = false): Promise<Late> {
  const pair = await connect(ctx);
  const { client } = pair;
  let entries = client.cq.depth;
  if (resize) entries = (await client.endpoint.call('resizeCq', { cq: client.cq.cq, depth: posted })).depth;
  const late = await post(ctx, pair, posted, entries);
  await closePair(pair);
  return late;
}

async function post(ctx: Context, pair: Pair, posted: number, entries: number): Promise<Late> {
  const { client } = pair;
  if (posted > entries) intendOverrun(ctx);
  await postAll(pair, posted);
  if (posted <= entries) {
    const { completions: polled } = await client.endpoint.call('waitCq', {
      cq: client.cq.cq,
      count: posted,
      timeoutMs: EVENT_MS,
    });
    return { posted, entries, polled, overrun: false };
  }
  const overrun = (await eventsUntil(pair, 'CQ_ERR', EVENT_MS)).includes('CQ_ERR');
  const { completions: polled } = await client.endpoint.call('pollCq', { cq: client.cq.cq, max: posted });
  return { posted, entries, polled, overrun };
}

const intendOverrun = (ctx: Context): void =>
  intend(ctx, { role: 'client', most: 1, events: ['CQ_ERR', 'QP_FATAL'] });

/** Signaled WRITEs, handed over with one call. */
async function postAll(pair: Pair, count: number): Promise<void> {
  const { endpoint, qp } = pair.client;
  const wrs = Array.from({ length: count }, (_, i) => ({ ...writeOf(pair, 0, SIZE, true), wrId: i }));
  await endpoint.call('postSendList', { qp: qp.qp, wrs });
}

/** Names of the asynchronous events of this pair at the client, until one is among them or the time is over. */
async function eventsUntil({ client }: Pair, name: string, timeoutMs: number): Promise<string[]> {
  const names: string[] = [];
  const own = ({ cq, qpn }: AsyncEvents[number]): boolean =>
    cq === client.cq.cq || qpn === client.qp.info.qpn;
  while (!names.includes(name)) {
    const { events } = await client.endpoint.call('waitAsync', { timeoutMs });
    if (events.length === 0) break;
    names.push(...events.filter(own).map(({ event }) => event));
  }
  return names;
}

/** Overruns the completion queue and looks at the state of the connection. */
export async function breakQueue(ctx: Context, posted: number): Promise<Broken> {
  const pair = await connect(ctx);
  const { client, server } = pair;
  const entries = client.cq.depth;
  intendOverrun(ctx);
  await postAll(pair, posted);
  const events = await eventsUntil(pair, 'CQ_ERR', EVENT_MS);
  if (!events.includes('QP_FATAL')) events.push(...(await eventsUntil(pair, 'QP_FATAL', MAYBE_MS)));
  const stateOf = async ({ endpoint, qp }: Pair['client']): Promise<QpState> =>
    (await endpoint.call('queryQp', { qp: qp.qp })).state;
  const { completions: polled } = await client.endpoint.call('pollCq', { cq: client.cq.cq, max: posted });
  const states = { client: await stateOf(client), server: await stateOf(server) };
  const more = 2 * sendDepthOf(ctx.params, 2 * ctx.params.entries);
  let accepted = 0;
  while (accepted < more && (await tryPost(pair, writeOf(pair, 0, SIZE, true)))) accepted++;
  const after = await client.endpoint.call('pollCq', { cq: client.cq.cq, max: 1024 });
  await closePair(pair);
  return {
    posted,
    entries,
    polled,
    overrun: events.includes('CQ_ERR'),
    events,
    ...states,
    accepted,
    full: accepted < more,
    after: after.completions,
  };
}
