import { formatBytes, plural } from '../base/format.js';
import { compareCredits } from './credits.js';
import type { Context } from './endpoints.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { sendInOrder } from './in-order.js';
import { tryRefused } from './refused.js';

export async function runSendRecv(ctx: Context): Promise<void> {
  const { size, messages, burst, recvs } = ctx.params;
  const [client, server] = [ctx.endpoint('client'), ctx.endpoint('server')];
  const watch = new PacketWatch(client);
  const { gid } = await client.call('query', {});
  await watch.start(ctx, gid === (await server.call('query', {})).gid);
  await sendInOrder(ctx);
  await tryRefused(ctx);
  const naks = await compareCredits(ctx, watch);
  ctx.draining();
  await watch.stop();
  ctx.answer(
    `${plural(messages, 'message')} of up to ${formatBytes(size)} took ${plural(messages, 'RECV')}, in posting order, including the empty one. ` +
      `A RECV that was one byte too small ended the connection. ${naks === null ? 'RNR NAKs of the burst could not be counted.' : `A burst of ${plural(burst, 'message')} for ${plural(recvs, 'RECV')} caused ${plural(naks.blind, 'RNR NAK')}, and ${naks.credits} with credits.`}`,
  );
}
