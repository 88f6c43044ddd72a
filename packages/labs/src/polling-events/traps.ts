/** Two ways to wait for an event that never comes. */
import { closeAll } from '../endpoints/scope.js';
import { formatCount, plural } from '../base/format.js';
import { completions } from '../endpoints/verbs.js';
import { openEnds, type Context, type Ends } from './endpoints.js';

/** Wait of the server for an event that has no cause, ms. */
const SILENT_MS = 250;
const EVENT_MS = 10_000;

/** SENDs a message. Its completion says that the server’s device has completed the RECV. */
async function send({ client }: Ends, imm: number): Promise<void> {
  await client.endpoint.call('postSend', { qp: client.qp.qp, wr: { opcode: 'SEND_WITH_IMM', imm } });
  await completions(client.endpoint, client.sendCq, 1, 'SEND');
}

const arm = ({ server }: Ends) => server.endpoint.call('reqNotify', { cq: server.recvCq });

const eventsOf = async ({ server }: Ends, seen: number, timeoutMs: number): Promise<number> =>
  (await server.endpoint.call('waitEvent', { cq: server.recvCq, seen, timeoutMs })).events;

/** Messages that a poll finds, by number. */
async function poll({ server }: Ends): Promise<(number | undefined)[]> {
  const { completions: found } = await server.endpoint.call('pollCq', { cq: server.recvCq });
  return found.map(({ imm }) => imm);
}

export async function fallIntoTraps(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  const { server } = ends;
  for (let wrId = 1; wrId <= 4; wrId++)
    await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: { wrId } });
  const events = await forgetToArm(ctx, ends);
  await armTooLate(ctx, ends, events);
  await closeAll(ends.client, ends.server);
}

/** Arms the CQ once, for two messages; then arms it again. Resolves to the events so far. */
async function forgetToArm(ctx: Context, ends: Ends): Promise<number> {
  await arm(ends);
  await send(ends, 1);
  const first = await eventsOf(ends, 0, EVENT_MS);
  const found = await poll(ends);
  await send(ends, 2);
  const second = await eventsOf(ends, first, SILENT_MS);
  const waiting = await poll(ends);
  await arm(ends);
  await send(ends, 3);
  const third = await eventsOf(ends, second, EVENT_MS);
  const last = await poll(ends);
  const raised = [first, second - first, third - second];
  ctx.figure('events-forgotten', second - first);
  ctx.outcome('forgotten', second > first ? 'event' : 'nothing');
  ctx.check(
    'rearm',
    raised.join() === '1,0,1' && [...found, ...waiting, ...last].join() === '1,2,3',
    `Events for the armed message, the one without arming, and the one after arming again: ${raised.join(', ')}. Polling found messages ${[...found, ...waiting, ...last].map((imm) => formatCount(imm ?? -1)).join(', ')}.`,
  );
  return third;
}

/** The message comes between the empty poll and the arming. */
async function armTooLate(ctx: Context, ends: Ends, seen: number): Promise<void> {
  const empty = await poll(ends);
  await send(ends, 4);
  await arm(ends);
  const raised = (await eventsOf(ends, seen, SILENT_MS)) - seen;
  const found = await poll(ends);
  ctx.figure('events-late', raised);
  ctx.check(
    'again',
    empty.length === 0 && found.join() === '4',
    `The poll before found ${plural(empty.length, 'completion')}. After arming, the second poll found ${plural(found.length, 'message')}.`,
  );
  const { name, providerClass } = ends.server.endpoint.device;
  if (raised > 0 && providerClass !== 'user-space')
    ctx.doesNotApply('late', `${name} raises an event for a completion that is already there.`);
  else
    ctx.check(
      'late',
      raised === 0,
      `In ${SILENT_MS} ms after arming, the CQ raised ${plural(raised, 'event')} for the message that was there.`,
    );
}
