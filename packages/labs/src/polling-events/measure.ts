/** A measurement, on a connection of its own, so that no event is left over from another way. */
import { closeAll } from '../endpoints/scope.js';
import type { EndpointArgs, WaitWay } from '@verbslab/protocol';
import { openEnds, type Context, type End } from './endpoints.js';
import type { Counted } from './verdict.js';

/** Messages before those whose times count. */
export const WARM_UP = 10;
const ROUND_MS = 10_000;

export interface Measured {
  roundTripsNs: number[];
  /** CPU time of the server’s process per message, ns. */
  cpuNs: number;
  elapsedNs: number;
  counted: Counted;
}

export async function measure(ctx: Context, wait: WaitWay): Promise<Measured> {
  const { gap, budget, messages } = ctx.params;
  const ends = await openEnds(ctx);
  const { client, server } = ends;
  const rounds = messages + WARM_UP;
  const common = ({ qp, sendCq, recvCq }: End): Omit<EndpointArgs<'askMessages'>, 'gapUs'> => ({
    qp: qp.qp,
    sendCq,
    recvCq,
    rounds,
    timeoutMs: ROUND_MS,
  });
  await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: {} });
  const [asked, answered] = await Promise.all([
    client.endpoint.call('askMessages', { ...common(client), gapUs: gap }),
    server.endpoint.call('answerMessages', { ...common(server), wait, budgetUs: budget, omit: WARM_UP }),
  ]);
  let left = 0;
  for (const { endpoint, recvCq } of [client, server])
    left += (await endpoint.call('pollCq', { cq: recvCq })).completions.length;
  await closeAll(ends.client, ends.server);
  const { arms, rechecks, sleeps, events } = answered;
  return {
    roundTripsNs: asked.roundTripsNs.slice(WARM_UP),
    cpuNs: answered.cpuNs / messages,
    elapsedNs: answered.elapsedNs,
    counted: {
      messages: rounds,
      answers: asked.roundTripsNs.length,
      wrong: asked.wrong + answered.wrong,
      left,
      arms,
      rechecks,
      sleeps,
      events,
    },
  };
}
