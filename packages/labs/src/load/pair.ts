/** A client and a server with memory and one connected queue pair each: what labs put load on. */
import {
  type ConnectOptions,
  type EndpointHandle,
  type EndpointResult,
  type LabContext,
  type Link,
  type QpPolicyChoice,
} from '@verbslab/protocol';
import { PATIENT } from '../endpoints/timeouts.js';
import { settleLink, type LinkParam } from '../endpoints/link.js';
import { closeAll, Scope, type Qp, type Region } from '../endpoints/scope.js';
import { announce } from '../endpoints/side.js';

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
  maxInlineData?: number;
  /** Queue pairs for extended posting (ibv_wr_start to ibv_wr_complete). Default false. */
  extended?: boolean;
  /** Completion queues with a completion channel. Default false. */
  events?: boolean;
  /** Recovery and congestion control of both queue pairs. Default: what the device has. */
  policy?: QpPolicyChoice;
  connect?: ConnectOptions;
  /** Another pair, whose protection domain and memory this one uses. Close this one first. */
  beside?: Pair;
}

/** An end of the pair. */
export interface End {
  scope: Scope;
  endpoint: EndpointHandle;
  cq: EndpointResult<'createCq'>;
  mr: Region;
  qp: Qp;
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
    announce(ctx, from, to, from === server ? from.mr : undefined);
    await to.endpoint.call('connectQp', {
      qp: to.qp.qp,
      remote: from.qp.info,
      options: { ...PATIENT, ...connect },
    });
  }
  return { client, server, link: await settleLink(ctx, link, [client, server]) };
}

async function build(
  endpoint: EndpointHandle,
  { link, memory, cqDepth, maxInlineData, extended, events, policy }: PairOptions,
  maxSendWr: number,
  maxRecvWr: number,
  host: End | undefined,
): Promise<End> {
  const scope = host ? host.scope.beside() : await Scope.open(endpoint);
  const mr = host?.mr ?? (await scope.region(memory, ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ']));
  const depth = endpoint.name.startsWith('client') ? cqDepth : undefined;
  const cq = await scope.cq(depth ?? maxSendWr + maxRecvWr, events);
  const qp = await scope.qp(link, {
    sendCq: cq.cq,
    maxSendWr,
    maxRecvWr,
    ...(maxInlineData === undefined ? {} : { maxInlineData }),
    ...(extended ? { extended } : {}),
    ...(policy ? { policy } : {}),
  });
  return { scope, endpoint, cq, mr, qp };
}

export const closePair = ({ client, server }: Pair): Promise<void> => closeAll(client, server);
