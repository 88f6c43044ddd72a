/** A server with a region and a CQ for all, and the connections of the clients and of the probe to it. */
import type { EndpointHandle, Link } from '@verbslab/protocol';
import { PATIENT_WITH_RECVS } from '../endpoints/timeouts.js';
import { openOwner, type Owner } from '../endpoints/scope.js';
import { connectSides, type Side } from '../endpoints/side.js';
import { PROBE_BYTES, type Context } from './params.js';

export interface Sender extends Side {
  /** Bytes of a message, and where it arrives in the server’s region. */
  size: number;
  slot: number;
  /** Null on a device that has one link only. */
  link: Link | null;
}

export interface Ends {
  server: Owner & { cq: number; qps: number[] };
  clients: Sender[];
  probe: Sender;
}

async function join(
  ctx: Context,
  server: Ends['server'],
  endpoint: EndpointHandle,
  { size, slot, depth }: { size: number; slot: number; depth: number },
): Promise<Sender> {
  const { link: wanted, recvs } = ctx.params;
  const owner = await openOwner(endpoint, size, ['LOCAL_WRITE']);
  const { cq } = await owner.scope.cq(depth + 1, true);
  const qp = await owner.scope.qp(wanted, { sendCq: cq, maxSendWr: depth, maxRecvWr: 1 });
  const far = await server.scope.qp(wanted, { sendCq: server.cq, maxSendWr: 1, maxRecvWr: recvs });
  server.qps.push(far.qp);
  const ends = [
    { endpoint, qp },
    { endpoint: server.endpoint, qp: far },
  ] as const;
  const link = await connectSides(ctx, ends, wanted, PATIENT_WITH_RECVS);
  return { ...owner, cq, qp, size, slot, link };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const { clients: count, size, window, recvs } = ctx.params;
  const length = count * size + PROBE_BYTES;
  const owner = await openOwner(ctx.endpoint('server'), length, ['LOCAL_WRITE', 'REMOTE_WRITE']);
  const { cq } = await owner.scope.cq((count + 1) * (recvs + 1), true);
  const server: Ends['server'] = { ...owner, cq, qps: [] };
  const clients: Sender[] = [];
  for (const [i, client] of ctx.endpoints('client').entries())
    clients.push(await join(ctx, server, client, { size, slot: i * size, depth: window }));
  const probe = await join(ctx, server, ctx.endpoint('probe'), {
    size: PROBE_BYTES,
    slot: count * size,
    depth: 1,
  });
  return { server, clients, probe };
}
