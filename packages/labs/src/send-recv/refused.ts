/** A RECV that is too small, and none at all: each ends its connection. */
import { closeAll } from '../endpoints/scope.js';
import { lookupWcStatus, type Wc } from '@verbslab/protocol';
import { LOC_LEN_ERR, REM_INV_REQ_ERR, RNR_RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';
import { openEnds, postRecv, type Context } from './endpoints.js';

const WAIT_MS = 10_000;

const shown = (status: number | null): string =>
  status === null ? 'no completion' : `${status} ${lookupWcStatus(status).name}`;

async function tryRecv(
  ctx: Context,
  room: number | null,
): Promise<{ client: number | null; server: number | null }> {
  const { size } = ctx.params;
  const [client, server] = await openEnds(ctx, [size, size], 0);
  if (room !== null) await postRecv(server, 1, 0, room);
  const { completions } = await client.endpoint.call('postAndWait', {
    qp: client.qp.qp,
    cq: client.cq,
    wr: { opcode: 'SEND', local: [{ mr: client.mr.mr, offset: 0, length: size }] },
    timeoutMs: WAIT_MS,
  });
  let received: Wc[] = [];
  if (room !== null)
    ({ completions: received } = await server.endpoint.call('waitCq', {
      cq: server.cq,
      count: 1,
      timeoutMs: WAIT_MS,
    }));
  await closeAll(...[client, server]);
  return { client: completions[0]?.status ?? null, server: received[0]?.status ?? null };
}

export async function tryRefused(ctx: Context): Promise<void> {
  const { size } = ctx.params;
  const small = await tryRecv(ctx, size - 1);
  ctx.figure('too-small', small.client);
  ctx.row('refused', {
    case: `${size - 1} B for a message of ${size} B`,
    client: shown(small.client),
    server: shown(small.server),
  });
  ctx.outcome('too-small', small.client === 0 ? 'cut' : 'both');
  ctx.check(
    'too-small',
    small.client === REM_INV_REQ_ERR && small.server === LOC_LEN_ERR,
    `The client’s status is ${shown(small.client)}, the server’s ${shown(small.server)}.`,
  );
  const none = await tryRecv(ctx, null);
  ctx.figure('none', none.client);
  ctx.row('refused', { case: 'None, with rnr_retry 0', client: shown(none.client), server: 'no completion' });
  ctx.check('none', none.client === RNR_RETRY_EXC_ERR, `The client’s status is ${shown(none.client)}.`);
}
