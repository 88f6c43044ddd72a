/** A server with one pool of RECVs, and clients with a connection each. */
import type { ConnectOptions, LabContext } from '@verbslab/protocol';
import { openOwner, type Owner } from '../endpoints/scope.js';
import { connectSides, openSide, type Side } from '../endpoints/side.js';
import type { SrqParams } from './params.js';

export type Context = LabContext<SrqParams>;

/** Codes of 1.07 s and of 0.64 ms; rnr_retry 7 is without end. */
const PATIENT: ConnectOptions = { timeout: 18, minRnrTimer: 12, rnrRetry: 7 };

export interface Server extends Owner {
  cq: number;
  srq: number;
  qps: { qp: number; qpn: number }[];
}

export async function openServer(ctx: Context): Promise<Server> {
  const { recvs, size } = ctx.params;
  const owner = await openOwner(ctx.endpoint('server'), recvs * size, ['LOCAL_WRITE']);
  const { cq } = await owner.scope.cq(2 * recvs);
  return { ...owner, cq, srq: await owner.scope.srq(recvs), qps: [] };
}

export async function join(ctx: Context, name: string, server: Server): Promise<Side> {
  const { link, size, recvs } = ctx.params;
  const client = await openSide(ctx.endpoint(name), {
    length: size,
    access: ['LOCAL_WRITE'],
    link,
    depth: recvs + 1,
  });
  const { endpoint, scope, cq, srq } = server;
  const qp = await scope.qp(link, { sendCq: cq, srq });
  server.qps.push({ qp: qp.qp, qpn: qp.info.qpn });
  await connectSides(ctx, [client, { endpoint, qp }], link, PATIENT);
  return client;
}

/** Posts a RECV for any of the clients; `slot` is its buffer and its wr_id. */
export async function postRecv(ctx: Context, { endpoint, srq, mr }: Server, slot: number): Promise<void> {
  const { size } = ctx.params;
  const wr = { wrId: slot, local: [{ mr: mr.mr, offset: slot * size, length: size }] };
  await endpoint.call('postSrqRecv', { srq, wr });
}
