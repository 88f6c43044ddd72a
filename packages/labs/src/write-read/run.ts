import { closeAll } from '../endpoints/scope.js';
import type { LabContext, Mtu } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';
import { formatBytes, plural } from '../base/format.js';
import { PacketWatch } from '../wire/packet-watch.js';
import { connectSides, openSide } from '../endpoints/side.js';
import { batch } from './batch.js';
import type { WriteReadParams } from './params.js';
import { packetsOf } from '../wire/segments.js';
import { writeThenRead, type Found } from './single.js';

/** Room for the largest row of words, with the word that is read behind them. */
const WORDS_BYTES = 1024;

/** @param computed number of packets by the size and the path MTU */
function packetsText(counted: Found['packets'], computed: number): string {
  if (!counted) return `each takes ${plural(computed, 'packet')} of data, as computed`;
  const { written, read } = counted;
  return written === read
    ? `each took ${plural(written, 'packet')} of data`
    : `the WRITE took ${plural(written, 'packet')} of data and the READ ${read}`;
}

export async function runWriteRead(ctx: LabContext<WriteReadParams>): Promise<void> {
  const { size, link, writes, signalEvery } = ctx.params;
  const length = Math.max(2 * size, WORDS_BYTES);
  const ends = { client: ctx.endpoint('client'), server: ctx.endpoint('server') };
  const client = await openSide(ends.client, { length, access: ['LOCAL_WRITE'], link, depth: 128 });
  const server = await openSide(ends.server, {
    length,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'],
    link,
  });
  const mtu = Math.min(Number(ctx.params.mtu), client.qp.info.mtu, server.qp.info.mtu) as Mtu;
  if (mtu < Number(ctx.params.mtu))
    ctx.note(`The devices carry ${mtu} B per packet, so that is the path MTU.`);
  ctx.figure('path-mtu', mtu);
  const watch = new PacketWatch(ends.client);
  await watch.start(ctx, client.qp.info.gid === server.qp.info.gid);
  await connectSides(ctx, [client, server], link, { mtu });

  const found = await writeThenRead(ctx, { client, server, watch, mtu });
  await watch.take();
  const ofWrites = await batch(ctx, client, server);
  const acks = (await watch.take()).filter(({ opcode }) => opcode === RC.acknowledge).length;
  ctx.figure('batch-acks', watch.on ? acks : null);
  ctx.draining();
  await watch.stop();
  await closeAll(client, server);
  ctx.answer(
    `A WRITE of ${formatBytes(size)} ${found.changed ? 'changed' : 'did not change'} the server’s memory, and a READ of ${formatBytes(size)} ${found.back ? 'brought the same bytes back' : 'brought other bytes back'}. The server’s program got ${found.noticed === 0 ? 'no completion' : plural(found.noticed, 'completion')}. ` +
      `At a path MTU of ${mtu} B, ${packetsText(found.packets, packetsOf(size, mtu))}. ` +
      `${writes} WRITEs, ${signalEvery === 1 ? 'each of them' : `one in every ${signalEvery}${writes % signalEvery === 0 ? '' : ' and the last'}`} signaled, produced ${plural(ofWrites, 'completion')}.`,
  );
}
