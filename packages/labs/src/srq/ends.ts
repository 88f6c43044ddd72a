/** A server with one pool of RECVs, and clients with a connection each. */
import type { ConnectOptions, EndpointResult, LabContext } from '@verbslab/protocol';
import { linkOption } from '../endpoints/link.js';
import { connectSides, openSide, type Side } from '../endpoints/side.js';
import type { SrqParams } from './params.js';

export type Context = LabContext<SrqParams>;

/** Codes of 1.07 s and of 0.64 ms; rnr_retry 7 is without end. */
const PATIENT: ConnectOptions = { timeout: 18, minRnrTimer: 12, rnrRetry: 7 };

export interface Server {
  endpoint: ReturnType<Context['endpoint']>;
  pd: number;
  mr: EndpointResult<'regMr'>;
  cq: number;
  srq: number;
  qps: { qp: number; qpn: number }[];
}

export async function openServer(ctx: Context): Promise<Server> {
  const { recvs, size } = ctx.params;
  const endpoint = ctx.endpoint('server');
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', { pd, length: recvs * size, access: ['LOCAL_WRITE'] });
  const { cq } = await endpoint.call('createCq', { depth: 2 * recvs });
  const { srq } = await endpoint.call('createSrq', { pd, maxWr: recvs });
  return { endpoint, pd, mr, cq, srq, qps: [] };
}

export async function join(ctx: Context, name: string, server: Server): Promise<Side> {
  const { link, size, recvs } = ctx.params;
  const client = await openSide(ctx.endpoint(name), {
    length: size,
    access: ['LOCAL_WRITE'],
    link,
    depth: recvs + 1,
  });
  const { endpoint, pd, cq, srq } = server;
  const qp = await endpoint.call('createQp', { pd, sendCq: cq, srq, ...linkOption(endpoint, link) });
  server.qps.push({ qp: qp.qp, qpn: qp.info.qpn });
  await connectSides(ctx, [client, { endpoint, qp }], link, [PATIENT, PATIENT]);
  return client;
}

/** One RECV for any of the clients; `slot` is its buffer and its wr_id. */
export async function postRecv(ctx: Context, { endpoint, srq, mr }: Server, slot: number): Promise<void> {
  const { size } = ctx.params;
  const wr = { wrId: slot, local: [{ mr: mr.mr, offset: slot * size, length: size }] };
  await endpoint.call('postSrqRecv', { srq, wr });
}

export async function closeServer({ endpoint, qps, srq, cq, mr, pd }: Server): Promise<void> {
  for (const { qp } of qps) await endpoint.call('destroy', { what: 'qp', handle: qp });
  await endpoint.call('destroy', { what: 'srq', handle: srq });
  await endpoint.call('destroy', { what: 'cq', handle: cq });
  await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
  await endpoint.call('destroy', { what: 'pd', handle: pd });
}
