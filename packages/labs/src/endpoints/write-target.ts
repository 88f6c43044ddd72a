/** A connected pair of RC queue pairs: a client that WRITEs, and a server whose memory it writes to. */
import type { EndpointHandle, EndpointResult, LabContext, Link } from '@verbslab/protocol';
import { linkOption, settleLink, type LinkParam } from './link.js';
import { memoryRecord } from './verbs.js';

interface Side {
  endpoint: EndpointHandle;
  pd: number;
  cq: number;
  qp: EndpointResult<'createQp'>;
}

export interface WriteTarget {
  client: Side;
  server: Side;
  /** The server’s. */
  mr: EndpointResult<'regMr'>;
  link: Link | null;
}

const DEPTH = 16;

async function build(endpoint: EndpointHandle, link: LinkParam): Promise<Side> {
  const { pd } = await endpoint.call('allocPd', {});
  const { cq } = await endpoint.call('createCq', { depth: DEPTH });
  const qp = await endpoint.call('createQp', {
    pd,
    sendCq: cq,
    maxSendWr: DEPTH,
    maxRecvWr: DEPTH,
    ...linkOption(endpoint, link),
  });
  return { endpoint, pd, cq, qp };
}

/** The roles are `client` and `server`. @param length bytes that the server registers */
export async function connectWriteTarget(
  ctx: LabContext<unknown>,
  link: LinkParam,
  length: number,
): Promise<WriteTarget> {
  const client = await build(ctx.endpoint('client'), link);
  const server = await build(ctx.endpoint('server'), link);
  const mr = await server.endpoint.call('regMr', {
    pd: server.pd,
    length,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE'],
  });
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    const { qpn, psn, gid, mtu } = from.qp.info;
    const { addr, rkey } = mr;
    ctx.emit({
      kind: 'exchange',
      from: from.endpoint.name,
      to: to.endpoint.name,
      values: {
        ...{ qpn, psn, gid, mtu },
        ...(from === server ? { addr, rkey: `0x${rkey.toString(16)}`, length } : {}),
      },
      ...(from === server ? { record: memoryRecord(addr, rkey) } : {}),
    });
    await to.endpoint.call('connectQp', { qp: to.qp.qp, remote: from.qp.info });
  }
  return { client, server, mr, link: await settleLink(ctx, link, [client, server]) };
}

/** Whether the server’s memory starts with the pattern of `seed`, as `timeWrites` sends it. */
export async function arrived({ client, server, mr }: WriteTarget, seed: number): Promise<boolean> {
  const { length } = mr;
  const own = await client.endpoint.call('regMr', { pd: client.pd, length, access: ['LOCAL_WRITE'] });
  await client.endpoint.call('fillMemory', { mr: own.mr, offset: 0, length, seed });
  const sent = await client.endpoint.call('hashMemory', { mr: own.mr, offset: 0, length });
  await client.endpoint.call('destroy', { what: 'mr', handle: own.mr });
  const held = await server.endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length });
  return sent.sha256 === held.sha256;
}

export async function disconnect({ client, server, mr }: WriteTarget): Promise<void> {
  for (const { endpoint, qp, cq, pd } of [client, server]) {
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    await endpoint.call('destroy', { what: 'cq', handle: cq });
    if (endpoint === server.endpoint) await endpoint.call('destroy', { what: 'mr', handle: mr.mr });
    await endpoint.call('destroy', { what: 'pd', handle: pd });
  }
}
