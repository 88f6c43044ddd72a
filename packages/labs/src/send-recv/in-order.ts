/** Messages of falling size into RECVs of one size: which message takes which RECV. */
import { closeAll } from '../endpoints/scope.js';
import { formatBytes, plural } from '../base/format.js';
import { hashOf } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { openEnds, postRecv, WITHOUT_END, type Context } from './endpoints.js';

const SEED = 11;
/** The first RECV’s wr_id; they count up from here. */
const FIRST_RECV = 100;

/** The first has `size` bytes, the last none. */
export const lengthsOf = (size: number, messages: number): number[] =>
  Array.from({ length: messages }, (_, i) => Math.round((size * (messages - 1 - i)) / (messages - 1)));

export async function sendInOrder(ctx: Context): Promise<void> {
  const { size, messages } = ctx.params;
  const lengths = lengthsOf(size, messages);
  const [client, server] = await openEnds(ctx, [size * messages, size * messages], WITHOUT_END);
  await client.endpoint.call('fillMemory', {
    mr: client.mr.mr,
    offset: 0,
    length: size * messages,
    seed: SEED,
  });
  for (let i = 0; i < messages; i++) await postRecv(server, FIRST_RECV + i, i * size, size);
  await client.endpoint.call('postSendList', {
    qp: client.qp.qp,
    wrs: lengths.map((length, i) => ({
      opcode: 'SEND' as const,
      wrId: i,
      local: length === 0 ? [] : [{ mr: client.mr.mr, offset: i * size, length }],
    })),
  });
  const received = await completions(server.endpoint, server.cq, messages, 'RECV');
  await completions(client.endpoint, client.cq, messages, 'SEND');
  let whole = 0;
  for (const [i, { wrId, byteLen }] of received.entries()) {
    const length = lengths[i]!;
    const same =
      length === 0 || (await hashOf(client, i * size, length)) === (await hashOf(server, i * size, length));
    if (same) whole++;
    ctx.row('messages', {
      message: i + 1,
      sent: length,
      recv: wrId,
      received: byteLen,
      data: same ? 'the same' : 'other',
    });
  }
  ctx.check(
    'in-order',
    received.every(({ wrId }, i) => wrId === FIRST_RECV + i),
    `${plural(messages, 'message')} took the RECVs ${received.map(({ wrId }) => wrId).join(', ')}.`,
  );
  ctx.check(
    'byte-len',
    received.every(({ byteLen }, i) => byteLen === lengths[i]),
    `RECVs of ${formatBytes(size)} report ${received.map(({ byteLen }) => byteLen).join(', ')} B.`,
  );
  ctx.check('data', whole === messages, `${whole} of ${messages} buffers hold what was sent.`);
  ctx.outcome('short-message', received.length === messages ? 'one' : 'shared');
  await scatter(ctx, [client, server]);
  await closeAll(...[client, server]);
}

/** Three pieces of the client’s memory are one message, which fills two pieces of the server’s. */
async function scatter(ctx: Context, [client, server]: Awaited<ReturnType<typeof openEnds>>): Promise<void> {
  const { size } = ctx.params;
  const third = Math.floor(size / 4);
  const total = 3 * third;
  const first = Math.floor(total / 2);
  const piece = (mr: number, offset: number, length: number) => ({ mr, offset, length });
  await server.endpoint.call('postRecv', {
    qp: server.qp.qp,
    wr: { wrId: 1, local: [piece(server.mr.mr, 0, first), piece(server.mr.mr, first, total - first)] },
  });
  await client.endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: { opcode: 'SEND', local: [0, 1, 2].map((i) => piece(client.mr.mr, i * third, third)) },
  });
  const [wc] = await completions(server.endpoint, server.cq, 1, 'RECV');
  await completions(client.endpoint, client.cq, 1, 'SEND');
  const same = (await hashOf(client, 0, total)) === (await hashOf(server, 0, total));
  ctx.check(
    'scatter',
    wc?.byteLen === total && same,
    `Three pieces of ${third} B arrived as one message of ${wc?.byteLen} B in two pieces of memory, ${same ? 'with the same bytes' : 'with other bytes'}.`,
  );
}
