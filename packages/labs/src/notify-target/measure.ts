/** A measurement of a way: on a connection of its own, so that no RECV or completion is left over from another way. */
import { PATIENT } from '../endpoints/timeouts.js';
import { closeAll } from '../endpoints/scope.js';
import type { EndpointArgs, EndpointResult } from '@verbslab/protocol';
import { counterOffset, openEnds, type Context, type Ends } from './endpoints.js';
import type { Way } from './ways.js';

/** Messages before those whose times count. */
export const WARM_UP = 10;
const ROUND_MS = 5000;

export interface Measured {
  /** Times from the post at the client to the server’s answer, ns. */
  roundTrips: number[];
  /** CPU time of the server’s process per message, ns. */
  cpu: number;
  /** Messages found incomplete, the warm-up included. */
  incomplete: number;
}

/** Null where the server’s device has no atomics and the way needs them. */
export async function measure(ctx: Context, way: Way): Promise<Measured | null> {
  const ends = await openEnds(ctx, PATIENT);
  if (way.way === 'counter' && !ends.server.atomics) {
    await closeAll(ends.client, ends.server);
    return null;
  }
  const [asked, answered] = await both(ctx, ends, way);
  await closeAll(ends.client, ends.server);
  return {
    roundTrips: asked.roundTripsNs.slice(WARM_UP),
    cpu: answered.cpuNs / ctx.params.messages,
    incomplete: answered.incomplete,
  };
}

async function both(
  ctx: Context,
  { client, server }: Ends,
  { way, wait }: Way,
): Promise<[EndpointResult<'askNotices'>, EndpointResult<'answerNotices'>]> {
  const { size, messages, pause } = ctx.params;
  const common: Pick<EndpointArgs<'askNotices'>, 'way' | 'size' | 'counter' | 'rounds' | 'timeoutMs'> = {
    way,
    size,
    counter: counterOffset(size),
    rounds: messages + WARM_UP,
    timeoutMs: ROUND_MS,
  };
  const objectsOf = ({ qp, sendCq, recvCq, mr }: Ends['client']) => ({
    qp: qp.qp,
    sendCq,
    recvCq,
    mr: mr.mr,
  });
  if (way === 'send' || way === 'imm') await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: {} });
  return Promise.all([
    client.endpoint.call('askNotices', {
      ...common,
      ...objectsOf(client),
      remote: { addr: server.mr.addr, rkey: server.mr.rkey },
      pauseMs: pause,
    }),
    server.endpoint.call('answerNotices', { ...common, ...objectsOf(server), wait, omit: WARM_UP }),
  ]);
}
