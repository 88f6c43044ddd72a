/** A server that accepts by itself, a client, and the packets of the client. */
import type { LabContext } from '@verbslab/protocol';
import { addressOfGid } from '../endpoints/verbs.js';
import { openCmClient, openCmServer, type CmClient, type CmServer } from '../cm/endpoints.js';
import { PacketWatch } from '../wire/packet-watch.js';
import type { ConnectionStormParams } from './params.js';

export type Context = LabContext<ConnectionStormParams>;
export const TIMEOUT_MS = 20_000;
const SIZE = 64;

export interface Stage {
  ctx: Context;
  server: CmServer;
  client: CmClient;
  watch: PacketWatch;
  /** IP address of the server’s device. */
  host: string;
}

export async function openStage(ctx: Context): Promise<Stage> {
  const [at, from] = [ctx.endpoint('server'), ctx.endpoint('client')];
  const nets = { server: await at.call('query', {}), client: await from.call('query', {}) };
  const server = await openCmServer(at, SIZE);
  const client = await openCmClient(from, server, SIZE);
  const watch = new PacketWatch(from);
  await watch.start(ctx, nets.client.gid === nets.server.gid, true);
  return { ctx, server, client, watch, host: addressOfGid(nets.server.gid) };
}
