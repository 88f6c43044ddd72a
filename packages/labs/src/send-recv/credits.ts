/** Messages that outnumber the RECVs: left to RNR NAKs and retries, or counted in credits. */
import { closeAll } from '../endpoints/scope.js';
import { RC } from '@verbslab/roce';
import { plural } from '../base/format.js';
import type { PacketWatch } from '../wire/packet-watch.js';
import { CANNOT_SEE_RNR, rnrNaksSent, untilRnrNak } from '../endpoints/rnr.js';
import { hashOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { openEnds, postRecv, WITHOUT_END, type Context } from './endpoints.js';

const BYTES = 16;
const SEED = 12;

interface Burst {
  /** RNR NAKs of the server’s device; null where it does not count them. */
  naks: number | null;
  /** Packets of SENDs at the client, retries included; null: packets cannot be seen. */
  packets: number | null;
  /** Each message is in the buffer of its RECV. */
  whole: boolean;
}

/** Message `i`, from a piece of memory of its own. */
const message = ({ mr }: Side, i: number, signaled: boolean) => ({
  opcode: 'SEND' as const,
  local: [{ mr: mr.mr, offset: i * BYTES, length: BYTES }],
  signaled,
});

/** RECV `i`, with a piece of memory of its own. */
const post = (server: Side, i: number): Promise<void> => postRecv(server, i, i * BYTES, BYTES);

/** Opens a connection, and looks at what a burst over it did. */
async function burstOver(
  ctx: Context,
  watch: PacketWatch,
  body: (client: Side, server: Side, naks: number | null) => Promise<void>,
): Promise<Burst> {
  const { burst, recvs } = ctx.params;
  const length = burst * BYTES;
  const [client, server] = await openEnds(ctx, [length, length + recvs * BYTES], WITHOUT_END);
  await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length, seed: SEED });
  for (let i = 0; i < recvs; i++) await post(server, i);
  const before = await rnrNaksSent(server.endpoint);
  await watch.take();
  await body(client, server, before);
  const packets = await watch.take();
  const after = await rnrNaksSent(server.endpoint);
  const whole = (await hashOf(client, 0, length)) === (await hashOf(server, 0, length));
  await closeAll(...[client, server]);
  return {
    naks: before === null || after === null ? null : after - before,
    packets: watch.on
      ? packets.filter(({ direction, opcode }) => direction === 'sent' && opcode === RC.sendOnly).length
      : null,
    whole,
  };
}

/** All messages are posted at once. The server posts its next RECVs only when its device has refused one. */
const withoutCredits = (ctx: Context, watch: PacketWatch): Promise<Burst> =>
  burstOver(ctx, watch, async (client, server, before) => {
    const { burst, recvs } = ctx.params;
    await client.endpoint.call('postSendList', {
      qp: client.qp.qp,
      wrs: Array.from({ length: burst }, (_, i) => message(client, i, true)),
    });
    if (before !== null) await untilRnrNak(ctx, server.endpoint, before);
    for (let i = recvs; i < burst; i++) await post(server, i);
    await completions(client.endpoint, client.cq, burst, 'SEND');
  });

/** A credit is a RECV that the server has posted. It goes back to the client as an empty message. */
const withCredits = (ctx: Context, watch: PacketWatch): Promise<Burst> =>
  burstOver(ctx, watch, async (client, server) => {
    const { burst, recvs } = ctx.params;
    for (let i = 0; i < recvs; i++) await postRecv(client, i, 0, 0);
    let credits = recvs;
    for (let sent = 0; sent < burst; sent++) {
      if (credits === 0) {
        // Both kinds of completions come to one CQ: those of SENDs are unsignaled here.
        await completions(client.endpoint, client.cq, 1, 'RECV of a credit');
        await postRecv(client, recvs + sent, 0, 0);
        credits++;
      }
      await client.endpoint.call('postSend', {
        qp: client.qp.qp,
        wr: message(client, sent, sent === burst - 1),
      });
      credits--;
      await completions(server.endpoint, server.cq, 1, 'RECV');
      await post(server, recvs + sent);
      await server.endpoint.call('postSend', {
        qp: server.qp.qp,
        wr: { opcode: 'SEND', local: [], signaled: false },
      });
    }
  });

/** RNR NAKs of both ways; null where the device does not count them. */
export async function compareCredits(
  ctx: Context,
  watch: PacketWatch,
): Promise<{ blind: number; credits: number } | null> {
  const { burst, recvs } = ctx.params;
  const blind = await withoutCredits(ctx, watch);
  const counted = await withCredits(ctx, watch);
  for (const [way, { naks, packets }] of [
    ['All at once', blind],
    ['With credits', counted],
  ] as const)
    ctx.row('bursts', { way, messages: burst, recvs, naks, packets });
  ctx.figure('naks', blind.naks);
  ctx.figure('naks-credits', counted.naks);
  if (blind.naks === null || counted.naks === null) {
    ctx.doesNotApply('rnr', CANNOT_SEE_RNR);
    ctx.doesNotApply('credits', CANNOT_SEE_RNR);
    return null;
  }
  ctx.check(
    'rnr',
    blind.naks > 0 && blind.whole,
    `${plural(burst, 'message')} found ${plural(recvs, 'RECV')}: ${plural(blind.naks, 'RNR NAK')}. ${blind.whole ? 'All messages' : 'Not all messages'} arrived.`,
  );
  ctx.check(
    'credits',
    counted.naks === 0 && counted.whole,
    `With credits: ${plural(counted.naks, 'RNR NAK')}. ${counted.whole ? 'All messages' : 'Not all messages'} arrived.`,
  );
  return { blind: blind.naks, credits: counted.naks };
}
