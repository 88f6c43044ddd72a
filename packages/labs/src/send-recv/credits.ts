/** More messages than RECVs: left to RNR NAKs and retries, or counted in credits. */
import { formatTime, plural } from '../format.js';
import { CANNOT_SEE_RNR, rnrNaksSent, untilRnrNak } from '../rnr.js';
import { closeSide, type Side } from '../side.js';
import { completions } from '../verbs.js';
import { openEnds, postRecv, WITHOUT_END, type Context } from './ends.js';

const BYTES = 16;

interface Burst {
  /** RNR NAKs of the server’s device; null where it does not count them. */
  naks: number | null;
  elapsedNs: number;
}

const send = ({ mr }: Side, signaled: boolean) => ({
  opcode: 'SEND' as const,
  local: [{ mr: mr.mr, offset: 0, length: BYTES }],
  signaled,
});

const repost = (server: Side): Promise<void> => postRecv(server, 0, 0, BYTES);

/** All messages are posted at once. The server posts its next RECVs only when its device has refused one. */
async function withoutCredits(ctx: Context): Promise<Burst> {
  const { burst, recvs } = ctx.params;
  const [client, server] = await openEnds(ctx, [BYTES, BYTES], WITHOUT_END);
  for (let i = 0; i < recvs; i++) await repost(server);
  const before = await rnrNaksSent(server.endpoint);
  const began = ctx.now();
  await client.endpoint.call('postSendList', {
    qp: client.qp.qp,
    wrs: Array.from({ length: burst }, () => send(client, true)),
  });
  if (before !== null) await untilRnrNak(ctx, server.endpoint, before);
  for (let i = recvs; i < burst; i++) await repost(server);
  await completions(client.endpoint, client.cq, burst, 'SEND');
  const elapsedNs = ctx.now() - began;
  const after = await rnrNaksSent(server.endpoint);
  for (const side of [client, server]) await closeSide(side);
  return { naks: before === null || after === null ? null : after - before, elapsedNs };
}

/** A credit is a RECV that the server has posted. It goes back to the client as a message of its own. */
async function withCredits(ctx: Context): Promise<Burst> {
  const { burst, recvs } = ctx.params;
  const [client, server] = await openEnds(ctx, [BYTES, BYTES], WITHOUT_END);
  for (let i = 0; i < recvs; i++) await repost(server);
  for (let i = 0; i < recvs; i++) await postRecv(client, 0, 0, BYTES);
  const before = await rnrNaksSent(server.endpoint);
  const began = ctx.now();
  let credits = recvs;
  for (let sent = 0; sent < burst; sent++) {
    if (credits === 0) {
      // Both kinds of completions come to one CQ: those of SENDs are unsignaled here.
      await completions(client.endpoint, client.cq, 1, 'RECV of a credit');
      await postRecv(client, 0, 0, BYTES);
      credits++;
    }
    await client.endpoint.call('postSend', { qp: client.qp.qp, wr: send(client, sent === burst - 1) });
    credits--;
    await completions(server.endpoint, server.cq, 1, 'RECV');
    await repost(server);
    await server.endpoint.call('postSend', { qp: server.qp.qp, wr: send(server, false) });
  }
  const elapsedNs = ctx.now() - began;
  const after = await rnrNaksSent(server.endpoint);
  for (const side of [client, server]) await closeSide(side);
  return { naks: before === null || after === null ? null : after - before, elapsedNs };
}

export async function compareCredits(ctx: Context): Promise<void> {
  const { burst, recvs } = ctx.params;
  const blind = await withoutCredits(ctx);
  const counted = await withCredits(ctx);
  for (const [way, { naks }] of [
    ['All at once', blind],
    ['With credits', counted],
  ] as const)
    ctx.row('bursts', { way, messages: burst, recvs, naks });
  ctx.figure('naks', blind.naks);
  ctx.figure('naks-credits', counted.naks);
  if (blind.naks === null || counted.naks === null) {
    ctx.doesNotApply('rnr', CANNOT_SEE_RNR);
    ctx.doesNotApply('credits', CANNOT_SEE_RNR);
    return;
  }
  ctx.check(
    'rnr',
    blind.naks > 0,
    `${plural(burst, 'message')} found ${plural(recvs, 'RECV')}: ${plural(blind.naks, 'RNR NAK')}, and all arrived after ${formatTime(blind.elapsedNs)}.`,
  );
  ctx.check(
    'credits',
    counted.naks === 0,
    `With credits the client never sent without a RECV: ${plural(counted.naks, 'RNR NAK')}.`,
  );
}
