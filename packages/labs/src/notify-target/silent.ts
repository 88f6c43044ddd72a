/** Effects of a WRITE alone at each end, and the time when they appear. */
import { closeAll } from '../endpoints/scope.js';
import { plural } from '../base/format.js';
import { HELD_ACK_TIMEOUT, sameBytes } from '../load/posting.js';
import { completions } from '../endpoints/verbs.js';
import { openEnds, type Context, type Ends } from './endpoints.js';

const SEED = 9;

/** A WRITE whose ACK is held where the device can do that: the data is there, and neither end has a completion. */
export async function tryWriteAlone(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx, { timeout: HELD_ACK_TIMEOUT });
  const { client, server } = ends;
  const { size } = ctx.params;
  const canHold = server.endpoint.has('faults');
  await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed: SEED });
  if (canHold) await server.endpoint.call('faults', { rates: { drop: 1 } });
  try {
    await client.endpoint.call('postSend', {
      qp: client.qp.qp,
      wr: {
        opcode: 'RDMA_WRITE',
        local: [{ mr: client.mr.mr, offset: 0, length: size }],
        remote: { addr: server.mr.addr, rkey: server.mr.rkey },
      },
    });
    if (canHold) await checkHeld(ctx, ends);
    else
      ctx.doesNotApply(
        'ack',
        `${server.endpoint.device.name} offers no fault injection, so the lab cannot hold the ACK back.`,
      );
  } finally {
    if (canHold) await server.endpoint.call('faults', { rates: {} });
  }
  await completions(client.endpoint, client.sendCq, 1, 'RDMA WRITE');
  const arrived = await arrivedAt(ctx, ends);
  const { completions: told } = await server.endpoint.call('pollCq', { cq: server.recvCq });
  const { completions: sent } = await server.endpoint.call('pollCq', { cq: server.sendCq });
  const count = told.length + sent.length;
  ctx.figure('alone', count);
  ctx.check(
    'silent',
    arrived && count === 0,
    `After the WRITE completed at the client, the data ${arrived ? 'was' : 'was not'} in the server’s memory, and the server’s CQs held ${plural(count, 'completion')}.`,
  );
  ctx.outcome('alone', count === 0 ? 'nothing' : 'completion');
  await closeAll(ends.client, ends.server);
}

const arrivedAt = (ctx: Context, { client, server }: Ends): Promise<boolean> =>
  sameBytes({ client, server }, ctx.params.size, () => ctx.now());

async function checkHeld(ctx: Context, ends: Ends): Promise<void> {
  const { client } = ends;
  const arrived = await arrivedAt(ctx, ends);
  const { completions: early } = await client.endpoint.call('pollCq', { cq: client.sendCq });
  ctx.check(
    'ack',
    arrived && early.length === 0,
    `While the server’s ACK was held back, the data ${arrived ? 'was' : 'was not'} in the server’s memory, and the client had ${plural(early.length, 'completion')}.`,
  );
}
