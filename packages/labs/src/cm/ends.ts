/** A server that accepts connections by itself, and clients with what their connections need. */
import type { EndpointArgs, EndpointHandle, EndpointResult } from '@verbslab/protocol';

const DEPTH = 16;

export type Queues = Pick<EndpointArgs<'cm.serve'>, 'pd' | 'cq' | 'link'>;
type Region = EndpointResult<'regMr'>;

export interface CmServer {
  endpoint: EndpointHandle;
  listener: EndpointResult<'cm.listen'>;
  queues: Queues;
  mr: Region;
}

export interface CmClient {
  endpoint: EndpointHandle;
  /** An id that stays unconnected: PD and CQ are of its device. */
  cm: number;
  queues: Queues;
  mr: Region;
}

async function queuesOf(endpoint: EndpointHandle, cm: number): Promise<Queues> {
  const { pd } = await endpoint.call('allocPd', { cm });
  const { cq } = await endpoint.call('createCq', { depth: DEPTH, cm });
  return { pd, cq, ...(endpoint.has('link') ? { link: 'auto' as const } : {}) };
}

/** Listens, with a region of `size` bytes that clients may write. */
export async function openCmServer(
  endpoint: EndpointHandle,
  size: number,
  options: EndpointArgs<'cm.listen'> = {},
): Promise<CmServer> {
  const listener = await endpoint.call('cm.listen', options);
  const queues = await queuesOf(endpoint, listener.cm);
  const access = ['LOCAL_WRITE', 'REMOTE_WRITE'] as const;
  const mr = await endpoint.call('regMr', { pd: queues.pd, length: size, access: [...access] });
  return { endpoint, listener, queues, mr };
}

export async function openCmClient(
  endpoint: EndpointHandle,
  { listener: { address, port } }: CmServer,
  size: number,
): Promise<CmClient> {
  const { cm } = await endpoint.call('cm.resolve', { address, port });
  const queues = await queuesOf(endpoint, cm);
  const mr = await endpoint.call('regMr', { pd: queues.pd, length: size, access: ['LOCAL_WRITE'] });
  return { endpoint, cm, queues, mr };
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

async function closeQueues(endpoint: EndpointHandle, { pd, cq }: Queues, mr: Region): Promise<void> {
  await endpoint.call('destroy', { what: 'cq', handle: cq });
  await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
  await endpoint.call('destroy', { what: 'pd', handle: pd });
}

export async function closeCmClient({ endpoint, cm, queues, mr }: CmClient): Promise<void> {
  await closeQueues(endpoint, queues, mr);
  await endpoint.call('destroy', { what: 'cm', handle: cm });
}

export async function closeCmServer({ endpoint, listener, queues, mr }: CmServer): Promise<void> {
  await closeQueues(endpoint, queues, mr);
  await endpoint.call('destroy', { what: 'cm', handle: listener.cm });
}
