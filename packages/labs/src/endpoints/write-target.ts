/** A connected pair of RC queue pairs: a client that WRITEs, and a server whose memory it writes to. */
import type { LabContext, Link } from '@verbslab/protocol';
import { settleLink, type LinkParam } from './link.js';
import { Scope, type Qp, type Region } from './scope.js';
import { announce } from './side.js';

interface Side extends Pick<Scope, 'endpoint' | 'pd'> {
  scope: Scope;
  cq: number;
  qp: Qp;
}

export interface WriteTarget {
  client: Side;
  server: Side;
  /** Memory of the server. */
  mr: Region;
  link: Link | null;
}

const DEPTH = 16;

async function build(ctx: LabContext<unknown>, name: string, link: LinkParam): Promise<Side> {
  const scope = await Scope.open(ctx.endpoint(name));
  const { cq } = await scope.cq(DEPTH);
  const qp = await scope.qp(link, { sendCq: cq, maxSendWr: DEPTH, maxRecvWr: DEPTH });
  return { scope, endpoint: scope.endpoint, pd: scope.pd, cq, qp };
}

/** The roles are `client` and `server`. @param length bytes that the server registers */
export async function connectWriteTarget(
  ctx: LabContext<unknown>,
  link: LinkParam,
  length: number,
): Promise<WriteTarget> {
  const client = await build(ctx, 'client', link);
  const server = await build(ctx, 'server', link);
  const mr = await server.scope.region(length, ['LOCAL_WRITE', 'REMOTE_WRITE']);
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    announce(ctx, from, to, from === server ? mr : undefined);
    await to.endpoint.call('connectQp', { qp: to.qp.qp, remote: from.qp.info });
  }
  return { client, server, mr, link: await settleLink(ctx, link, [client, server]) };
}

/** True if the server’s memory starts with the pattern of `seed`, as `timeWrites` sends it. */
export async function arrived({ client, server, mr }: WriteTarget, seed: number): Promise<boolean> {
  const { length } = mr;
  const own = await client.endpoint.call('regMr', { pd: client.pd, length, access: ['LOCAL_WRITE'] });
  await client.endpoint.call('fillMemory', { mr: own.mr, offset: 0, length, seed });
  const sent = await client.endpoint.call('hashMemory', { mr: own.mr, offset: 0, length });
  await client.endpoint.call('destroy', { what: 'mr', handle: own.mr });
  const held = await server.endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length });
  return sent.sha256 === held.sha256;
}
