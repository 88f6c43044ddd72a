/** One server with a region and a CQ for all, and the connections of the clients and of the probe to it. */
import type { EndpointHandle, EndpointResult, Link } from '@verbslab/protocol';
import { linkOption } from '../endpoints/link.js';
import { PATIENT_WITH_RECVS } from '../endpoints/patience.js';
import { connectSides } from '../endpoints/side.js';
import { PROBE_BYTES, type Context } from './params.js';

export interface Sender {
  endpoint: EndpointHandle;
  pd: number;
  mr: EndpointResult<'regMr'>;
  cq: number;
  qp: EndpointResult<'createQp'>;
  /** Bytes of a message, and where it arrives in the server’s region. */
  size: number;
  slot: number;
  /** Null on a device that has one link only. */
  link: Link | null;
}

export interface Ends {
  server: { endpoint: EndpointHandle; pd: number; mr: EndpointResult<'regMr'>; cq: number; qps: number[] };
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
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', { pd, length: size, access: ['LOCAL_WRITE'] });
  const { cq } = await endpoint.call('createCq', { depth: depth + 1, events: true });
  const near = await endpoint.call('createQp', {
    ...{ pd, sendCq: cq, maxSendWr: depth, maxRecvWr: 1 },
    ...linkOption(endpoint, wanted),
  });
  const far = await server.endpoint.call('createQp', {
    ...{ pd: server.pd, sendCq: server.cq, maxSendWr: 1, maxRecvWr: recvs },
    ...linkOption(server.endpoint, wanted),
  });
  server.qps.push(far.qp);
  const ends = [
    { endpoint, qp: near },
    { endpoint: server.endpoint, qp: far },
  ] as const;
  const link = await connectSides(ctx, ends, wanted, [PATIENT_WITH_RECVS, PATIENT_WITH_RECVS]);
  return { endpoint, pd, mr, cq, qp: near, size, slot, link };
}

export async function openEnds(ctx: Context): Promise<Ends> {
  const { clients: count, size, window, recvs } = ctx.params;
  const endpoint = ctx.endpoint('server');
  const { pd } = await endpoint.call('allocPd', {});
  const length = count * size + PROBE_BYTES;
  const mr = await endpoint.call('regMr', { pd, length, access: ['LOCAL_WRITE', 'REMOTE_WRITE'] });
  const { cq } = await endpoint.call('createCq', { depth: (count + 1) * (recvs + 1), events: true });
  const server: Ends['server'] = { endpoint, pd, mr, cq, qps: [] };
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

export async function closeEnds({ server, clients, probe }: Ends): Promise<void> {
  for (const { endpoint, qp, cq, mr, pd } of [...clients, probe]) {
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    await endpoint.call('destroy', { what: 'cq', handle: cq });
    await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
  const { endpoint, qps, cq, mr, pd } = server;
  for (const qp of qps) await endpoint.call('destroy', { what: 'qp', handle: qp });
  await endpoint.call('destroy', { what: 'cq', handle: cq });
  await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
  await endpoint.call('destroy', { what: 'pd', handle: pd });
}
