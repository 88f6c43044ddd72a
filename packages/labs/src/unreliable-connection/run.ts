import { closeAll } from '../endpoints/scope.js';
import { formatBytes, plural } from '../base/format.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { connect, TYPES, type Context } from './endpoints.js';
import { tryLoss } from './loss.js';
import { countPackets } from './packets.js';

export async function runUnreliable(ctx: Context): Promise<void> {
  const watch = new PacketWatch(ctx.endpoint('client'));
  let size = 0;
  const acks: (number | null)[] = [];
  for (const type of TYPES) {
    const connection = await connect(ctx, type);
    const { client, server } = connection;
    if (size === 0) await watch.start(ctx, client.qp.info.gid === server.qp.info.gid);
    size = connection.size;
    acks.push(await countPackets(ctx, connection, watch));
    await tryLoss(ctx, connection);
    await watch.take();
    await closeAll(client, server);
  }
  ctx.figure('size', size);
  ctx.draining();
  await watch.stop();
  ctx.answer(
    (acks.includes(null)
      ? `UC sends messages of ${formatBytes(size)} without any ACK. `
      : `For ${plural(ctx.params.messages + 1, 'message')}, ${plural(acks[0]!, 'packet')} came back over UC, and ${acks[1]} over RC. `) +
      'A packet lost over UC stays lost, and both programs see only SUCCESS. RC retransmits it.',
  );
}
