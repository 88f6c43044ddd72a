/** A server that accepts connections by itself, and clients with what their connections need. */
import type { Access, EndpointArgs, EndpointHandle, EndpointResult } from '@verbslab/protocol';
import { Scope, type Owner } from '../endpoints/scope.js';

const DEPTH = 16;

export type Queues = Pick<EndpointArgs<'cm.serve'>, 'pd' | 'cq' | 'link'>;

/** A region, and what connections of the id’s device need. */
interface Ready extends Owner {
  queues: Queues;
}

export interface CmServer extends Ready {
  listener: EndpointResult<'cm.listen'>;
}

export interface CmClient extends Ready {
  /** An id that stays unconnected: PD and CQ are of its device. */
  cm: number;
}

async function ready(endpoint: EndpointHandle, cm: number, size: number, access: Access[]): Promise<Ready> {
  const scope = await Scope.open(endpoint, { cm });
  const { cq } = await scope.cq(DEPTH);
  const mr = await scope.region(size, access);
  const queues = { pd: scope.pd, cq, ...(endpoint.has('link') ? { link: 'auto' as const } : {}) };
  return { scope, endpoint, queues, mr };
}

/** Listens, with a region of `size` bytes that clients may write. */
export async function openCmServer(
  endpoint: EndpointHandle,
  size: number,
  options: EndpointArgs<'cm.listen'> = {},
): Promise<CmServer> {
  const listener = await endpoint.call('cm.listen', options);
  return { listener, ...(await ready(endpoint, listener.cm, size, ['LOCAL_WRITE', 'REMOTE_WRITE'])) };
}

export async function openCmClient(
  endpoint: EndpointHandle,
  { listener: { address, port } }: CmServer,
  size: number,
): Promise<CmClient> {
  const { cm } = await endpoint.call('cm.resolve', { address, port });
  return { cm, ...(await ready(endpoint, cm, size, ['LOCAL_WRITE'])) };
}

/** A WRITE of the client’s whole region to the server’s. */
export const writeTo = (
  { mr: { addr, rkey } }: CmServer,
  { mr }: CmClient,
): EndpointArgs<'postSend'>['wr'] => ({
  opcode: 'RDMA_WRITE',
  local: [{ mr: mr.mr }],
  remote: { addr, rkey },
});
