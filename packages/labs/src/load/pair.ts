/** A client and a server with memory and one connected queue pair each: what labs put load on. */
import {
  type ConnectOptions,
  type EndpointHandle,
  type EndpointResult,
  type LabContext,
  type Link,
} from '@verbslab/protocol';
import { linkOption, settleLink, type LinkParam } from '../endpoints/link.js';
import { memoryRecord } from '../endpoints/verbs.js';

/** 4.096 µs × 2^17: 0.54 s. An end that is not scheduled for a while must not count as lost packets. */
const ACK_TIMEOUT = 17;

export interface PairOptions {
  link: LinkParam;
  /** Bytes to register at each end. */
  memory: number;
  /** Send requests that the client’s queue pair is to hold. */
  sendDepth: number;
  /** Receives that the server’s queue pair is to hold. Default 1. */
  recvDepth?: number;
  /** Send requests of the server, and receives of the client, where messages go both ways. Default 1. */
  answerDepth?: number;
  /** Entries of the client’s completion queue. Default: as many as `sendDepth`. */
  cqDepth?: number;
  /** Bytes that a request may carry inline. Default 0. */
  inline?: number;
  /** Queue pairs for extended posting (ibv_wr_start to ibv_wr_complete). Default false. */
  extended?: boolean;
  /** Completion queues with a completion channel. Default false. */
  events?: boolean;
  connect?: ConnectOptions;
  /** Another pair, whose protection domain and memory this one uses. Close this one first. */
  beside?: Pair;
}

/** One end of the pair. */
export interface End {
  endpoint: EndpointHandle;
  pd: number;
  cq: EndpointResult<'createCq'>;
  mr: EndpointResult<'regMr'>;
  qp: EndpointResult<'createQp'>;
  /** The protection domain and the memory belong to another pair. */
  guest: boolean;
}

export interface Pair {
  client: End;
  server: End;
  /** Null on a device that has one link only. */
  link: Link | null;
}

/** Creates everything at both ends and connects them. */
export async function connectPair(
  ctx: LabContext<unknown>,
  options: PairOptions,
  names: { client: string; server: string } = { client: 'client', server: 'server' },
): Promise<Pair> {
  const { link, connect, sendDepth, recvDepth = 1, answerDepth = 1 } = options;
  const { client: nearby, server: opposite } = options.beside ?? {};
  const client = await build(ctx.endpoint(names.client), options, sendDepth, answerDepth, nearby);
  const server = await build(ctx.endpoint(names.server), options, answerDepth, recvDepth, opposite);
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    announce(ctx, from, to, from === server);
    await to.endpoint.call('connectQp', {
      qp: to.qp.qp,
      remote: from.qp.info,
      options: { timeout: ACK_TIMEOUT, ...connect },
    });
  }
  return { client, server, link: await settleLink(ctx, link, [client, server]) };
}

async function build(
  endpoint: EndpointHandle,
  { link, memory, cqDepth, inline, extended, events }: PairOptions,
  maxSendWr: number,
  maxRecvWr: number,
  host: End | undefined,
): Promise<End> {
  const { pd } = host ?? (await endpoint.call('allocPd', {}));
  const mr =
    host?.mr ??
    (await endpoint.call('regMr', {
      pd,
      length: memory,
      access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'],
    }));
  const depth = endpoint.name.startsWith('client') ? cqDepth : undefined;
  const cq = await endpoint.call('createCq', {
    depth: depth ?? maxSendWr + maxRecvWr,
    ...(events ? { events } : {}),
  });
  const qp = await endpoint.call('createQp', {
    pd,
    sendCq: cq.cq,
    maxSendWr,
    maxRecvWr,
    ...(inline === undefined ? {} : { maxInlineData: inline }),
    ...(extended ? { extended } : {}),
    ...linkOption(endpoint, link),
  });
  return { endpoint, pd, cq, mr, qp, guest: host !== undefined };
}

function announce(ctx: LabContext<unknown>, from: End, to: End, withMemory: boolean): void {
  const { qpn, psn, gid, mtu } = from.qp.info;
  const { addr, rkey, length } = from.mr;
  ctx.emit({
    kind: 'exchange',
    from: from.endpoint.name,
    to: to.endpoint.name,
    values: { qpn, psn, gid, mtu, ...(withMemory ? { addr, rkey: `0x${rkey.toString(16)}`, length } : {}) },
    ...(withMemory ? { record: memoryRecord(addr, rkey) } : {}),
  });
}

/** Users before what they use. */
export async function closePair({ client, server }: Pair): Promise<void> {
  for (const { endpoint, qp, cq, mr, pd, guest } of [client, server]) {
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    await endpoint.call('destroy', { what: 'cq', handle: cq.cq });
    if (guest) continue;
    await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}
