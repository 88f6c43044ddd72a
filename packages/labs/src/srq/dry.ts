/** The pool runs low, which causes an event, and then dry, which makes clients wait. */
import type { EndpointHandle } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { CANNOT_SEE_RNR, rnrNaksSent, untilRnrNak } from '../endpoints/rnr.js';
import type { Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { postRecv, type Context, type Server } from './endpoints.js';
import { sendFrom } from './share.js';

const EVENT_MS = 5000;
/** Wait for an event that must not come, ms. */
const NO_EVENT_MS = 20;

async function limitEvents(endpoint: EndpointHandle, timeoutMs: number): Promise<number> {
  const { events } = await endpoint.call('waitAsync', { timeoutMs });
  return events.filter(({ event }) => event.endsWith('SRQ_LIMIT_REACHED')).length;
}

/** Takes RECVs until fewer than the limit are left. The event comes once; then the limit is 0 until it is set again. */
export async function runLow(ctx: Context, client: Side, server: Server): Promise<void> {
  const { recvs, limit } = ctx.params;
  const { endpoint, srq, cq } = server;
  for (let slot = 0; slot < recvs; slot++) await postRecv(ctx, server, slot);
  await endpoint.call('modifySrq', { srq, limit });
  await sendFrom(ctx, client, recvs - limit);
  await completions(endpoint, cq, recvs - limit, 'RECV');
  const early = await limitEvents(endpoint, NO_EVENT_MS);
  await sendFrom(ctx, client, 1);
  await completions(endpoint, cq, 1, 'RECV');
  const late = await limitEvents(endpoint, EVENT_MS);
  const { limit: armed } = await endpoint.call('querySrq', { srq });
  ctx.row('pool', { left: limit, event: early > 0 ? 'SRQ_LIMIT_REACHED' : 'none' });
  ctx.row('pool', { left: limit - 1, event: late > 0 ? 'SRQ_LIMIT_REACHED' : 'none' });
  ctx.figure('armed', armed);
  ctx.check(
    'limit-event',
    early === 0 && late === 1,
    `With ${plural(limit, 'RECV')} left there was ${early === 0 ? 'no event' : 'an event'}, with ${limit - 1} left there ${late === 1 ? 'was one' : `were ${late}`}.`,
  );
  ctx.check(
    'once',
    armed === 0,
    `After the event the limit is ${armed}${armed === 0 ? ': set it again' : ''}.`,
  );
}

/** Takes the rest of the pool; the next message comes from another client. */
export async function runDry(ctx: Context, [first, other]: [Side, Side], server: Server): Promise<void> {
  const { limit } = ctx.params;
  const left = limit - 1;
  if (left > 0) {
    await sendFrom(ctx, first, left);
    await completions(server.endpoint, server.cq, left, 'RECV');
  }
  const before = await rnrNaksSent(server.endpoint);
  if (before === null) {
    ctx.figure('naks', null);
    ctx.doesNotApply('dry', CANNOT_SEE_RNR);
    return;
  }
  const sent = sendFrom(ctx, other, 1);
  const refused = await untilRnrNak(ctx, server.endpoint, before);
  await postRecv(ctx, server, 0);
  await sent;
  await completions(server.endpoint, server.cq, 1, 'RECV');
  const naks = ((await rnrNaksSent(server.endpoint)) ?? before) - before;
  ctx.figure('naks', naks);
  ctx.row('pool', { left: 0, event: `${naks} × RNR NAK to the other client` });
  ctx.check(
    'dry',
    refused && naks > 0,
    `One client had emptied the pool. The next message of another one got ${plural(naks, 'RNR NAK')} and arrived after one more RECV.`,
  );
}
