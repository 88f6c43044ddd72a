/** The client’s device drops one packet: first a whole message, then a part of a long one. */
import { RC } from '@verbslab/roce';
import { plural } from '../base/format.js';
import { hashOf } from '../endpoints/side.js';
import { arrived, OPCODE_BASE, postRecv, send, write, type Connection, type Context } from './endpoints.js';

const MESSAGES = 3;
const LOST = 2;
const SEED = 43;
const WITHOUT_FAULTS = 'The client’s device has no fault injection, so the run cannot lose a packet.';

const dropped = async ({ client }: Connection): Promise<number> =>
  (await client.endpoint.call('faults.query', {})).dropped;

/** Drops one packet to the server: the `iter`-th, of this opcode where one is given. */
async function drop({ client, server }: Connection, iter: number, opcode?: number): Promise<void> {
  await client.endpoint.call('faults', {
    rules: [
      {
        action: 'drop',
        qpn: server.qp.info.qpn,
        iter,
        times: 1,
        ...(opcode === undefined ? {} : { opcode }),
      },
    ],
  });
}

/** Sends three messages; the second is lost once. */
async function loseMessage(ctx: Context, connection: Connection): Promise<void> {
  const { type } = connection;
  const uc = type === 'UC';
  for (let i = 0; i < MESSAGES; i++) await postRecv(connection);
  await drop(connection, LOST, OPCODE_BASE[type] | RC.sendOnlyImmediate);
  for (let i = 1; i <= MESSAGES; i++) await send(connection, i);
  const found = await arrived(connection, uc ? MESSAGES - 1 : MESSAGES);
  const lost = await dropped(connection);
  ctx.row('losses', {
    type,
    what: `SEND ${LOST} of ${MESSAGES}`,
    dropped: lost,
    client: `${MESSAGES} × SUCCESS`,
    server: found.join(', '),
  });
  ctx.figure(uc ? 'uc-arrived' : 'rc-arrived', found.length);
  if (uc) ctx.outcome('loss', found.includes(LOST) ? 'again' : 'missing');
  ctx.check(
    uc ? 'uc-silent' : 'rc-repairs',
    lost === 1 && found.join() === (uc ? '1,3' : '1,2,3'),
    `${plural(lost, 'packet')} of ${MESSAGES} messages over ${type} ${lost === 1 ? 'was' : 'were'} dropped. The client got SUCCESS for all, and the server got ${found.join(', ')}.`,
  );
}

/** A WRITE whose second packet is lost once, and a SEND behind it. */
async function losePart(ctx: Context, connection: Connection): Promise<void> {
  const { type, client, server, mtu, size } = connection;
  const { packets } = ctx.params;
  const uc = type === 'UC';
  await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed: SEED });
  // Over UC one RECV is left from the lost message.
  if (!uc) await postRecv(connection);
  await drop(connection, LOST);
  await write(connection);
  await send(connection, MESSAGES + 1);
  const [marker] = await arrived(connection, 1);
  const lost = await dropped(connection);
  let landed = 0;
  for (let i = 0; i < packets; i++)
    if ((await hashOf(client, i * mtu, mtu)) === (await hashOf(server, i * mtu, mtu))) landed++;
  const { state } = await server.endpoint.call('queryQp', { qp: server.qp.qp });
  ctx.row('losses', {
    type,
    what: `Packet ${LOST} of ${packets} of a WRITE`,
    dropped: lost,
    client: 'SUCCESS',
    server: `${landed} of ${packets} packets’ data in memory`,
  });
  ctx.figure(uc ? 'uc-landed' : 'rc-landed', landed);
  ctx.check(
    uc ? 'uc-partial' : 'rc-whole',
    lost === 1 && marker === MESSAGES + 1 && state === 'RTS' && (uc ? landed < packets : landed === packets),
    `The server has the data of ${landed} of ${plural(packets, 'packet')}. The client got SUCCESS, the next message arrived, and the server’s QP is in ${state}.`,
  );
}

export async function tryLoss(ctx: Context, connection: Connection): Promise<void> {
  const { client, type } = connection;
  if (!client.endpoint.has('faults')) {
    for (const id of type === 'UC' ? ['uc-silent', 'uc-partial'] : ['rc-repairs', 'rc-whole'])
      ctx.doesNotApply(id, WITHOUT_FAULTS);
    for (const name of ['arrived', 'landed']) ctx.figure(`${type.toLowerCase()}-${name}`, null);
    return;
  }
  try {
    await loseMessage(ctx, connection);
    await losePart(ctx, connection);
  } finally {
    await client.endpoint.call('faults', {});
  }
}
