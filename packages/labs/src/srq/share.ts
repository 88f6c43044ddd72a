/** A client that takes most of the pool, and another one that takes the rest. */
import { formatNumber, plural } from '../base/format.js';
import type { Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { postRecv, type Context, type Server } from './endpoints.js';

const send = ({ mr }: Side, size: number) => ({
  opcode: 'SEND' as const,
  local: [{ mr: mr.mr, offset: 0, length: size }],
});

export async function sendFrom(ctx: Context, client: Side, count: number): Promise<void> {
  const { size } = ctx.params;
  for (let i = 0; i < count; i++)
    await client.endpoint.call('postSend', { qp: client.qp.qp, wr: send(client, size) });
  await completions(client.endpoint, client.cq, count, 'SEND');
}

/** Spreads the messages: all but one from the first client, one from the last. */
export async function shareUnevenly(ctx: Context, clients: readonly Side[], server: Server): Promise<void> {
  const { recvs, size } = ctx.params;
  const first = clients[0]!;
  const last = clients.at(-1)!;
  for (let slot = 0; slot < recvs; slot++) await postRecv(ctx, server, slot);
  for (const [i, client] of clients.entries())
    await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed: i + 1 });
  await sendFrom(ctx, first, recvs - 1);
  await sendFrom(ctx, last, 1);
  const received = await completions(server.endpoint, server.cq, recvs, 'RECV');
  const hashes = await Promise.all(
    clients.map(({ endpoint, mr }) => endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length: size })),
  );
  let right = 0;
  for (const { qpn, wrId } of received) {
    const from = server.qps.findIndex((one) => one.qpn === qpn);
    const { sha256 } = await server.endpoint.call('hashMemory', {
      mr: server.mr.mr,
      offset: wrId * size,
      length: size,
    });
    const same = hashes[from]?.sha256 === sha256;
    if (same) right++;
    ctx.row('messages', {
      recv: wrId,
      qpn: qpn === undefined ? null : `0x${qpn.toString(16)}`,
      client: from + 1,
      data: same ? 'bytes of this client' : 'bytes of another',
    });
  }
  const ofFirst = received.filter(({ qpn }) => qpn === server.qps[0]!.qpn).length;
  ctx.outcome('who-takes', ofFirst > Math.ceil(recvs / clients.length) ? 'any' : 'share');
  ctx.check(
    'pooled',
    ofFirst === recvs - 1 && received.length === recvs,
    `The first client took ${ofFirst} of ${plural(recvs, 'RECV')}; an equal share is ${formatNumber(recvs / clients.length)}.`,
  );
  ctx.check(
    'told-apart',
    right === recvs,
    `By qp_num of the completion, ${right} of ${plural(recvs, 'message')} were attributed to the client whose bytes they hold.`,
  );
}

/** Bytes of buffers: one pool, or as many RECVs for each client. */
export function tellMemory(ctx: Context): void {
  const { clients, recvs, size } = ctx.params;
  ctx.figure('pool-bytes', recvs * size);
  ctx.figure('separate-bytes', clients * recvs * size);
}
