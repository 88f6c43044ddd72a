import { PacketWatch } from '../packet-watch.js';
import { connectByCm } from './by-cm.js';
import { connectByHand } from './by-hand.js';
import { tryRejected } from './rejected.js';
import { checkCm, checkHand, checkRejected, compare } from './report.js';
import type { Context } from './trace.js';

export async function runConnectionManager(ctx: Context): Promise<void> {
  const [client, server] = [ctx.endpoint('client'), ctx.endpoint('server')];
  const nets = { client: await client.call('query', {}), server: await server.call('query', {}) };
  const watch = new PacketWatch(client);
  await watch.start(ctx, nets.client.gid === nets.server.gid);

  const cm = await connectByCm(ctx, watch);
  checkCm(ctx, cm, watch.on);
  checkRejected(ctx, await tryRejected(ctx, cm.meeting, watch), watch.on);
  const hand = await connectByHand(ctx);
  checkHand(ctx, hand);
  ctx.draining();
  await watch.stop();
  compare(ctx, cm, hand);
}
