import { PacketWatch } from '../wire/packet-watch.js';
import { connectByCm } from './by-cm.js';
import { connectByHand } from './by-hand.js';
import { tryRejected } from './rejected.js';
import { checkCm, checkHand, checkRejected, compare } from './report.js';
import type { Context } from './trace.js';

/** Each way once, unmeasured: the first use of a call costs more than the others, whichever way goes first. */
async function warmUp(ctx: Context, watch: PacketWatch): Promise<void> {
  const silent: Context = { ...ctx, row: () => undefined, emit: () => undefined };
  await connectByCm(silent, watch);
  await connectByHand(silent);
}

export async function runConnectionManager(ctx: Context): Promise<void> {
  const [client, server] = [ctx.endpoint('client'), ctx.endpoint('server')];
  const nets = { client: await client.call('query', {}), server: await server.call('query', {}) };
  const watch = new PacketWatch(client);
  await warmUp(ctx, watch);
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
