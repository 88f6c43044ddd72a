/** A QP with a CQ per queue; the CQ of RECVs has a completion channel, so that a program can sleep on it. */
import type { EndpointHandle, EndpointResult } from '@verbslab/protocol';
import { linkOption, type LinkParam } from './link.js';

export interface Queues {
  sendCq: number;
  recvCq: number;
  qp: EndpointResult<'createQp'>;
}

/** Default number of entries of each queue. */
const DEPTH = 64;

export async function openQueues(
  endpoint: EndpointHandle,
  pd: number,
  link: LinkParam,
  depth = DEPTH,
  maxSendSge = 1,
): Promise<Queues> {
  const { cq: sendCq } = await endpoint.call('createCq', { depth });
  const { cq: recvCq } = await endpoint.call('createCq', { depth, events: true });
  const qp = await endpoint.call('createQp', {
    pd,
    sendCq,
    recvCq,
    maxSendWr: depth,
    maxRecvWr: depth,
    maxSendSge,
    ...linkOption(endpoint, link),
  });
  return { sendCq, recvCq, qp };
}

export async function closeQueues(endpoint: EndpointHandle, { qp, sendCq, recvCq }: Queues): Promise<void> {
  await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
  await endpoint.call('destroy', { what: 'cq', handle: sendCq });
  await endpoint.call('destroy', { what: 'cq', handle: recvCq });
}
