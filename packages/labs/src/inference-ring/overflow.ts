/** A client that does not wait for credits while the server’s program is busy, and a server that has posted no RECV. */
import { plural } from '../base/format.js';
import { inPhase } from '../endpoints/phase.js';
import { CANNOT_SEE_RNR, rnrNaksSent, untilRnrNak } from '../endpoints/rnr.js';
import { completions } from '../endpoints/verbs.js';
import { batchOf, look, postRecvs, prepare, type Context, type Ends } from './endpoints.js';
import { intact, slotOf } from './ring.js';

/** Requests beyond the room in the ring: half a ring. */
export const extraOf = ({ slots }: Context['params']): number => Math.floor(slots / 2);

export interface Overflow {
  /** Slots with another request than the first one that the client wrote there. */
  overwritten: number;
  /** Completions at both ends, all of them a success. */
  completions: number;
}

/** Overruns the ring. The server looks only after all requests have come. */
export async function overflow(ctx: Context, ends: Ends): Promise<Overflow> {
  const { params } = ctx;
  const { slots } = params;
  const { client, server } = ends;
  const extra = extraOf(params);
  const parts = [
    { first: 1, count: slots },
    { first: slots + 1, count: extra },
  ];
  return inPhase(ctx, 'overflow', 'More requests than slots, without credits', async () => {
    await postRecvs(server, server.queues, parts.length);
    let succeeded = 0;
    for (const [i, { first, count }] of parts.entries()) {
      await prepare(ctx, client, first, count);
      await client.endpoint.call('postSendList', {
        qp: client.queues.qp.qp,
        wrs: batchOf(ctx, ends, first, count, i + 1),
      });
      await completions(client.endpoint, client.queues.sendCq, 1, 'RDMA WRITE with immediate');
      succeeded++;
    }
    const told = await completions(server.endpoint, server.queues.recvCq, parts.length, 'RECV');
    const found = await look(ctx, server, 1, slots);
    const lost = found.filter(({ sequence }, i) => sequence !== i + 1);
    const byOne = lost.filter((one) => one.sequence === slots + slotOf(params, one.sequence) + 1);
    for (const [i, { sequence }] of found.entries())
      if (i < 4 || (i >= extra - 1 && i <= extra))
        ctx.row('ring', {
          slot: i,
          expected: i + 1,
          found: sequence,
          state: sequence === i + 1 ? 'as expected' : 'overwritten',
        });
    ctx.figure('overwritten', lost.length);
    ctx.outcome('status', succeeded === parts.length ? 'none' : 'client');
    ctx.check(
      'overflow',
      lost.length === extra &&
        byOne.length === extra &&
        succeeded === parts.length &&
        told.length === parts.length,
      `The client wrote ${plural(slots + extra, 'request')} into ${plural(slots, 'slot')}, and ${plural(succeeded + told.length, 'completion')} at both ends were a success. By their sequence numbers, ${plural(byOne.length, 'slot')} held a request that was ${slots} too new (computed ${extra})${lost.length === byOne.length ? '' : `, and ${lost.length - byOne.length} another wrong one`}.`,
    );
    return { overwritten: lost.length, completions: succeeded + told.length };
  });
}

/** A batch and its notification, before the server has a RECV for it. */
export async function withoutRecv(ctx: Context, ends: Ends): Promise<void> {
  const { batch } = ctx.params;
  const { client, server } = ends;
  const before = await rnrNaksSent(server.endpoint);
  if (before === null) return ctx.doesNotApply('rnr', CANNOT_SEE_RNR);
  await inPhase(ctx, 'rnr', 'A notification without a RECV', async () => {
    // Different slots from those of the last requests.
    const first = 1 + 4 * ctx.params.slots;
    await prepare(ctx, client, first, batch);
    await client.endpoint.call('postSendList', {
      qp: client.bare.qp.qp,
      wrs: batchOf(ctx, ends, first, batch, 1),
    });
    const refused = await untilRnrNak(ctx, server.endpoint, before);
    const found = await look(ctx, server, first, batch);
    const there = found.filter((one, i) => one.sequence === first + i && intact(one, first + i)).length;
    const { completions: early } = await client.endpoint.call('pollCq', { cq: client.bare.sendCq });
    await postRecvs(server, server.bare, 1);
    await completions(client.endpoint, client.bare.sendCq, 1, 'RDMA WRITE with immediate');
    const [wc] = await completions(server.endpoint, server.bare.recvCq, 1, 'RECV');
    ctx.check(
      'rnr',
      refused && there === batch && early.length === 0 && wc?.imm === 1,
      `${refused ? 'The server answered with an RNR NAK.' : 'No RNR NAK came in time.'} ${there} of ${plural(batch, 'request')} were in the ring all the same, and the client had ${plural(early.length, 'completion')}. The RECV that came late took the notification with id ${wc?.imm}.`,
    );
  });
}
