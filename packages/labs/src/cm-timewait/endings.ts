/** Three ways in which a connection ends, and attempts of the same client meanwhile. */
import { callFailed, type QpState } from '@verbslab/protocol';
import { attempt } from '../endpoints/attempt.js';
import { writeTo } from '../cm/endpoints.js';
import { intend } from '../endpoints/intend.js';
import { inPhase } from '../endpoints/phase.js';
import {
  captured,
  connect,
  endpointOf,
  eventOf,
  SIDES,
  untilEvent,
  WAIT_MS,
  type Connection,
  type Side,
  type Stage,
} from './stage.js';

/** CM messages go to this QP. */
const CM_QPN = 1;
const LOOK_MS = 10;
/** Delay of a DREQ that the peer’s DREQ is to meet on its way. */
const CROSSING_MS = 200;

export interface Ending {
  id: 'first' | 'both' | 'lost';
  title: string;
  connection: Connection;
  /** The client calls rdma_disconnect: on the run’s clock, ns. */
  beganAt: number;
  /** The server’s program answers the client’s request with rdma_disconnect, ns; null: it had asked itself, or got none. */
  answeredAt: number | null;
  /** State of the server’s QP after the client has given up; null: the server learned of the end. */
  unaware: QpState | null;
}

/** Attempts of the client while its first connection was in timewait. */
export interface Meanwhile {
  /** Refusal of rdma_connect on the id that is over; null: the call succeeded. */
  refusal: string | null;
  next: Connection;
  /** Status of a WRITE over the next connection. */
  status: string;
  /** Time on the run’s clock, ns. */
  writtenAt: number;
}

const disconnect = (stage: Stage, side: Side, { ids }: Connection): Promise<unknown> =>
  endpointOf(stage, side).call('cm.disconnect', { cm: ids[side] });

/** The server’s program answers as soon as it learns of the end. */
async function answer(stage: Stage, connection: Connection): Promise<number | null> {
  if (!(await untilEvent(stage, 'server', connection, 'DISCONNECTED'))) return null;
  const answeredAt = stage.ctx.now();
  await disconnect(stage, 'server', connection);
  return answeredAt;
}

export async function clientFirst(stage: Stage): Promise<Ending> {
  const connection = await connect(stage);
  return inPhase(stage.ctx, 'first', 'The client disconnects', async () => {
    const beganAt = stage.ctx.now();
    await disconnect(stage, 'client', connection);
    const answeredAt = await answer(stage, connection);
    await untilEvent(stage, 'client', connection, 'DISCONNECTED');
    return { id: 'first', title: 'The client disconnects', connection, beganAt, answeredAt, unaware: null };
  });
}

/** Disconnects at both ends. The client’s device delays its DREQ if it can, so that the two cross. */
export async function bothAtOnce(stage: Stage): Promise<Ending> {
  const { ctx, client } = stage;
  const connection = await connect(stage);
  return inPhase(ctx, 'both', 'Both disconnect at once', async () => {
    const canDelay = client.endpoint.has('faults');
    if (canDelay)
      await client.endpoint.call('faults', {
        rules: [{ action: 'delay', qpn: CM_QPN, times: 1, delayUs: CROSSING_MS * 1000 }],
      });
    const beganAt = ctx.now();
    const asked = disconnect(stage, 'client', connection);
    if (canDelay) await asked;
    await Promise.all([asked, disconnect(stage, 'server', connection)]);
    await untilEvent(stage, 'client', connection, 'DISCONNECTED');
    await untilEvent(stage, 'server', connection, 'DISCONNECTED');
    if (canDelay) await untilAnswered(stage, connection, beganAt);
    return {
      ...{ id: 'both' as const, title: 'Both disconnect at once', connection, beganAt },
      ...{ answeredAt: null, unaware: null },
    };
  });
}

/** The delayed DREQ leaves and is answered long after both ends have their events. */
async function untilAnswered(stage: Stage, connection: Connection, since: number): Promise<void> {
  if (!stage.watch.on) return;
  const { ctx } = stage;
  const deadline = ctx.now() + WAIT_MS * 1e6;
  const seen = (packets: Awaited<ReturnType<typeof captured>>, name: string, way: string): boolean =>
    packets.some(({ cm, direction, t = 0 }) => cm === name && direction === way && t >= since);
  while (ctx.now() < deadline) {
    const packets = await captured(stage);
    if (seen(packets, 'DisconnectRequest', 'sent') && seen(packets, 'DisconnectReply', 'received')) return;
    await untilEvent(stage, 'client', connection, 'TIMEWAIT_EXIT', LOOK_MS);
  }
}

/** The client’s device drops the first copies of the DREQ. */
export async function requestLost(stage: Stage): Promise<Ending> {
  const { ctx, client } = stage;
  const connection = await connect(stage);
  const { lost } = ctx.params;
  const title =
    lost === 0
      ? 'No DisconnectRequest is lost'
      : lost === 1
        ? 'The DisconnectRequest is lost'
        : `The first ${lost} DisconnectRequests are lost`;
  return inPhase(ctx, 'lost', title, async () => {
    if (lost > 0)
      await client.endpoint.call('faults', { rules: [{ action: 'drop', qpn: CM_QPN, times: lost }] });
    const beganAt = ctx.now();
    await disconnect(stage, 'client', connection);
    const told = await toldBeforeEnd(stage, connection);
    const answeredAt = told ? await answer(stage, connection) : null;
    await untilEvent(stage, 'client', connection, 'DISCONNECTED');
    await client.endpoint.call('faults', {});
    const { state } = await stage.server.endpoint.call('queryQp', { qp: connection.qps.server });
    if (!told) {
      await disconnect(stage, 'server', connection);
      await untilEvent(stage, 'server', connection, 'DISCONNECTED');
    }
    return { id: 'lost', title, connection, beganAt, answeredAt, unaware: told ? null : state };
  });
}

/** True if the server learns of the end. If it does not, the client ends without an answer, after all repetitions. */
async function toldBeforeEnd(stage: Stage, connection: Connection): Promise<boolean> {
  for (;;) {
    if (eventOf(stage, 'server', connection, 'DISCONNECTED')) return true;
    if (eventOf(stage, 'client', connection, 'DISCONNECTED')) return false;
    for (const side of SIDES) await untilEvent(stage, side, connection, 'DISCONNECTED', LOOK_MS);
  }
}

/** Connects while the connection is in timewait: with its id again, and with a new id and a new QP. */
export async function meanwhile(stage: Stage, { connection }: Ending): Promise<Meanwhile> {
  const { ctx, client, server } = stage;
  return inPhase(ctx, 'again', 'Connecting during the timewait', async () => {
    intend(ctx, { role: 'client', most: 1, calls: [{ call: 'rdma_connect', errno: 'EINVAL' }] });
    const again = await attempt(client.endpoint, 'cm.connect', { cm: connection.ids.client });
    const next = await connect(stage);
    await client.endpoint.call('postSend', { qp: next.qps.client, wr: writeTo(server, client) });
    const { completions } = await client.endpoint.call('waitCq', {
      cq: client.queues.cq,
      count: 1,
      timeoutMs: 10_000,
    });
    const [first] = completions;
    if (!first) throw callFailed('SYSTEM', 'ibv_poll_cq', 'ETIMEDOUT');
    return {
      refusal: again.ok ? null : again.refusal,
      next,
      status: first.statusName,
      writtenAt: ctx.now(),
    };
  });
}
