/** A side of a connection, for labs that post a few requests and look at what each of them does. */
import type {
  Access,
  ConnectOptions,
  EndpointArgs,
  EndpointHandle,
  LabContext,
  Link,
} from '@verbslab/protocol';
import { settleLink, type LinkParam } from './link.js';
import { DEPTH, openOwner, type Owner, type Qp, type Region } from './scope.js';
import { memoryRecord } from './verbs.js';

export interface Side extends Owner {
  cq: number;
  qp: Qp;
}

export interface SideOptions {
  /** Bytes of its memory region. */
  length: number;
  access: Access[];
  link: LinkParam;
  /** Entries of each queue. */
  depth?: number;
  qp?: Partial<EndpointArgs<'createQp'>>;
}

/** A region, a CQ for both queues, and a QP in RESET. */
export async function openSide(
  endpoint: EndpointHandle,
  { length, access, link, depth = DEPTH, qp: options = {} }: SideOptions,
): Promise<Side> {
  const owner = await openOwner(endpoint, length, access);
  const { cq } = await owner.scope.cq(2 * depth);
  const depths = { maxSendWr: depth, maxRecvWr: depth };
  return { ...owner, cq, qp: await owner.scope.qp(link, { sendCq: cq, ...depths, ...options }) };
}

type End = Pick<Side, 'endpoint' | 'qp'>;

/** Shows what one end tells the other about its QP and, if it lends a region, where that is and its key. */
export function announce(ctx: LabContext<unknown>, from: End, to: End, lent?: Region): void {
  const { qpn, psn, gid, mtu } = from.qp.info;
  ctx.emit({
    kind: 'exchange',
    from: from.endpoint.name,
    to: to.endpoint.name,
    values: {
      ...{ qpn, psn, gid, mtu },
      ...(lent ? { addr: lent.addr, rkey: `0x${lent.rkey.toString(16)}`, length: lent.length } : {}),
    },
    ...(lent ? { record: memoryRecord(lent.addr, lent.rkey) } : {}),
  });
}

/** Takes both QPs to RTS, with the same options or each with its own; null on devices that have one link only. */
export async function connectSides(
  ctx: LabContext<unknown>,
  [a, b]: readonly [End, End],
  link: LinkParam,
  options: ConnectOptions | readonly [ConnectOptions, ConnectOptions] = {},
): Promise<Link | null> {
  const [ofA, ofB] = 'length' in options ? options : [options, options];
  await a.endpoint.call('connectQp', { qp: a.qp.qp, remote: b.qp.info, options: ofA });
  await b.endpoint.call('connectQp', { qp: b.qp.qp, remote: a.qp.info, options: ofB });
  return settleLink(ctx, link, [a, b]);
}

/** The memory of a side, as its peer names it. */
export const remoteOf = ({ mr }: Pick<Side, 'mr'>, offset = 0): { addr: string; rkey: number } => ({
  addr: `0x${(BigInt(mr.addr) + BigInt(offset)).toString(16)}`,
  rkey: mr.rkey,
});

/** SHA-256 of a part of a side’s memory. */
export const hashOf = async (
  { endpoint, mr }: Pick<Side, 'endpoint' | 'mr'>,
  offset: number,
  length: number,
): Promise<string> => (await endpoint.call('hashMemory', { mr: mr.mr, offset, length })).sha256;
