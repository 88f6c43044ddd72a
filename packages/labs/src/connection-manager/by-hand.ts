/** A connection by hand: three ibv_modify_qp per side, and numbers that Verbs Lab passes on. */
import { closeAll } from '../endpoints/scope.js';
import type { QpState } from '@verbslab/protocol';
import { connectSides, openSide, remoteOf } from '../endpoints/side.js';
import { memoryRecord } from '../endpoints/verbs.js';
import { moveData, type Moved } from './data.js';
import { stateOf, traceCalls, type Context, type Traced } from './trace.js';

export interface HandFound {
  setup: Traced;
  state: QpState;
  moved: Moved;
}

export async function connectByHand(ctx: Context): Promise<HandFound> {
  const { size, link } = ctx.params;
  ctx.calls('client');
  ctx.calls('server');
  const server = await openSide(ctx.endpoint('server'), {
    length: size,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ'],
    link,
  });
  const client = await openSide(ctx.endpoint('client'), {
    length: 2 * size,
    access: ['LOCAL_WRITE'],
    link,
  });
  const { addr, rkey } = server.mr;
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    const { qpn, psn, gid } = from.qp.info;
    ctx.emit({
      kind: 'exchange',
      from: from.endpoint.name,
      to: to.endpoint.name,
      values: { qpn, psn, gid },
      ...(from === server ? { record: memoryRecord(addr, rkey) } : {}),
    });
  }
  await connectSides(ctx, [client, server], link);
  const state = await stateOf(client.endpoint, client.qp.qp);
  const setup = traceCalls(ctx, 'by hand', 'client', 'setup, once');
  traceCalls(ctx, 'by hand', 'server', 'setup, once');
  const moved = await moveData(ctx, 'by hand', {
    client: client.endpoint,
    server: server.endpoint,
    qp: client.qp.qp,
    cq: client.cq,
    mr: client.mr.mr,
    serverMr: server.mr.mr,
    remote: remoteOf(server),
  });
  await closeAll(client, server);
  return { setup, state, moved };
}
