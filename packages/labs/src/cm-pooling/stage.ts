import type { EndpointArgs, LabContext } from '@verbslab/protocol';
import { openCmClient, openCmServer, writeTo, type CmClient, type CmServer } from '../cm/endpoints.js';
import { PacketWatch } from '../wire/packet-watch.js';
import type { CmPoolingParams } from './params.js';

export type Context = LabContext<CmPoolingParams>;
export const TIMEOUT_MS = 10_000;
const SIZE = 64;

export interface Stage {
  ctx: Context;
  server: CmServer;
  clients: CmClient[];
  /** Packets of the first client. */
  watch: PacketWatch;
}

export async function openStage(ctx: Context): Promise<Stage> {
  const server = await openCmServer(ctx.endpoint('server'), SIZE);
  const clients: CmClient[] = [];
  for (const endpoint of ctx.endpoints('client')) clients.push(await openCmClient(endpoint, server, SIZE));
  const { gid } = await server.endpoint.call('query', {});
  const first = clients[0]!.endpoint;
  const watch = new PacketWatch(first);
  await watch.start(ctx, (await first.call('query', {})).gid === gid, true);
  return { ctx, server, clients, watch };
}

/** A connection to the server with one WRITE. */
export const asked = (
  { server }: Pick<Stage, 'server'>,
  client: CmClient,
): Omit<EndpointArgs<'cm.connectMany'>, 'count'> => ({
  address: server.listener.address,
  port: server.listener.port,
  ...client.queues,
  request: writeTo(server, client),
  timeoutMs: TIMEOUT_MS,
});
