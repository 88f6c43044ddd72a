/** One end of a connection, for labs that post a few requests and look at what each of them does. */
import type {
  Access,
  ConnectOptions,
  EndpointArgs,
  EndpointHandle,
  EndpointResult,
  LabContext,
  Link,
} from '@verbslab/protocol';
import { linkOption, settleLink, type LinkParam } from './link.js';

export interface Side {
  endpoint: EndpointHandle;
  pd: number;
  mr: EndpointResult<'regMr'>;
  cq: number;
  qp: EndpointResult<'createQp'>;
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

const DEPTH = 64;

/** A region, a CQ for both queues, and a QP in RESET. */
export async function openSide(
  endpoint: EndpointHandle,
  { length, access, link, depth = DEPTH, qp: options = {} }: SideOptions,
): Promise<Side> {
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', { pd, length, access });
  const { cq } = await endpoint.call('createCq', { depth: 2 * depth });
  const qp = await endpoint.call('createQp', {
    pd,
    sendCq: cq,
    maxSendWr: depth,
    maxRecvWr: depth,
    ...linkOption(endpoint, link),
    ...options,
  });
  return { endpoint, pd, mr, cq, qp };
}

type End = Pick<Side, 'endpoint' | 'qp'>;

/** Takes both QPs to RTS; null on devices that have one link only. */
export async function connectSides(
  ctx: LabContext<unknown>,
  [a, b]: readonly [End, End],
  link: LinkParam,
  options: readonly [ConnectOptions, ConnectOptions] = [{}, {}],
): Promise<Link | null> {
  await a.endpoint.call('connectQp', { qp: a.qp.qp, remote: b.qp.info, options: options[0] });
  await b.endpoint.call('connectQp', { qp: b.qp.qp, remote: a.qp.info, options: options[1] });
  return settleLink(ctx, link, [a, b]);
}

export async function closeSide({ endpoint, qp, cq, mr, pd }: Side): Promise<void> {
  await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
  await endpoint.call('destroy', { what: 'cq', handle: cq });
  await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
  await endpoint.call('destroy', { what: 'pd', handle: pd });
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
