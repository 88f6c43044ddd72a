/** WRITEs over UC, and the same over RC: packets of each direction. */
import { plural } from '../base/format.js';
import { NO_PACKETS, type PacketWatch } from '../wire/packet-watch.js';
import { hashOf } from '../endpoints/side.js';
import { arrived, postRecv, send, write, type Connection, type Context, type Type } from './endpoints.js';

const SEEDS: Readonly<Record<Type, number>> = { UC: 41, RC: 42 };

/**
 * Every WRITE, and then one SEND, after whose arrival all WRITEs before it have arrived. Resolves to the number of packets
 * that came back; null if no packets are recorded.
 */
export async function countPackets(
  ctx: Context,
  connection: Connection,
  watch: PacketWatch,
): Promise<number | null> {
  const { messages, packets } = ctx.params;
  const { type, client, server, size } = connection;
  const lower = type.toLowerCase();
  await client.endpoint.call('fillMemory', {
    mr: client.mr.mr,
    offset: 0,
    length: size,
    seed: SEEDS[type],
  });
  await postRecv(connection);
  await watch.take();
  for (let i = 0; i < messages; i++) await write(connection);
  await send(connection, messages);
  await arrived(connection, 1);
  const list = await watch.take();
  const same = (await hashOf(client, 0, size)) === (await hashOf(server, 0, size));
  ctx.check(
    `${lower}-arrives`,
    same,
    same
      ? `The server has what the client wrote over ${type}.`
      : `The server’s bytes differ from those that the client wrote over ${type}.`,
  );
  const sent = list.filter(({ direction }) => direction === 'sent').length;
  const acks = list.filter(({ direction }) => direction === 'received').length;
  ctx.row('packets', {
    type,
    messages: messages + 1,
    sent: watch.on ? sent : null,
    acks: watch.on ? acks : null,
    perMessage: watch.on ? (sent + acks) / (messages + 1) : null,
  });
  ctx.figure(`${lower}-acks`, watch.on ? acks : null);
  const id = type === 'UC' ? 'no-acks' : 'rc-acks';
  if (!watch.on) {
    ctx.doesNotApply(id, NO_PACKETS);
    return null;
  }
  const wanted = messages * packets + 1;
  ctx.check(
    id,
    type === 'UC' ? acks === 0 && sent === wanted : acks > 0,
    `Over ${type} the client sent ${plural(sent, 'packet')} for ${plural(messages, 'WRITE')} and one SEND, and received ${plural(acks, 'packet')}.`,
  );
  return acks;
}
