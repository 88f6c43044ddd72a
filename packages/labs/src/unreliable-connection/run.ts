import { closeAll } from '../endpoints/scope.js';
import { formatBytes } from '../base/format.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { connect, TYPES, type Context } from './endpoints.js';
import { tryLoss } from './loss.js';
import { countPackets } from './packets.js';

export async function runUnreliable(ctx: Context): Promise<void> {
  const watch = new PacketWatch(ctx.endpoint('client'));
  let size = 0;
  for (const type of TYPES) {
    const connection = await connect(ctx, type);
    const { client, server } = connection;
    if (size === 0) await watch.start(ctx, client.qp.info.gid === server.qp.info.gid);
    size = connection.size;
    await countPackets(ctx, connection, watch);
    await tryLoss(ctx, connection);
    await watch.take();
    await closeAll(client, server);
  }
  ctx.figure('size', size);
  ctx.draining();
  await watch.stop();
  ctx.answer(
    `UC sends messages of ${formatBytes(size)} without any ACK. A lost packet stays lost, and both programs see only SUCCESS. RC retransmits it.`,
  );
}
