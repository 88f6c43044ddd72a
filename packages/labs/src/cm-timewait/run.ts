import { conversations } from '../cm/conversation.js';
import { closeAll } from '../endpoints/scope.js';
import { formatDigits, formatNumber } from '../base/format.js';
import { bothAtOnce, clientFirst, meanwhile, requestLost } from './endings.js';
import { ackMs, check, copiesOf, endedOf, messagesOf, show, showAgain, wasMeanwhile } from './report.js';
import { captured, destroy, openStage, SIDES, untilEvent, type Context } from './stage.js';

const NS_PER_MS = 1e6;

export async function runCmTimewait(ctx: Context): Promise<void> {
  const stage = await openStage(ctx);
  const first = await clientFirst(stage);
  const again = await meanwhile(stage, first);
  const both = await bothAtOnce(stage);
  const lost = stage.client.endpoint.has('faults') ? await requestLost(stage) : null;
  const endings = [first, both, ...(lost ? [lost] : [])];
  // All timewaits run at the same time.
  for (const { connection } of endings)
    for (const side of SIDES) await untilEvent(stage, side, connection, 'TIMEWAIT_EXIT');
  ctx.draining();
  const all = conversations(await captured(stage));
  await stage.watch.stop();
  const of = (ending: typeof first) => endedOf(stage, ending, all);
  const found = { first: of(first), both: of(both), lost: lost && of(lost), again };
  for (const ended of [found.first, found.both, found.lost]) if (ended) show(ctx, ended);
  showAgain(ctx, first, again);
  check(stage, found);
  for (const { connection } of endings) await destroy(stage, connection);
  await destroy(stage, again.next);
  await closeAll(stage.client, stage.server);

  const { timewait } = found.first;
  const ack = ackMs(found.first);
  ctx.figure('timewait', timewait.client);
  ctx.figure('timewait-server', timewait.server);
  ctx.figure('ack-timeout', ack?.ms ?? null);
  ctx.figure('times-ack', ack && timewait.client !== null ? timewait.client / ack.ms : null);
  ctx.figure('both-messages', stage.watch.on ? messagesOf(found.both) : null);
  ctx.figure('copies', stage.watch.on && found.lost ? copiesOf(found.lost) : null);
  const learned = lost && lost.unaware === null ? found.lost?.disconnected.server?.at : undefined;
  ctx.figure('lost-delay', lost && learned !== undefined ? (learned - lost.beganAt) / NS_PER_MS : null);
  if (lost) ctx.outcome('lost', lost.unaware === null ? 'later' : 'nothing');
  ctx.answer(
    'rdma_disconnect sends a DisconnectRequest, and both ends get DISCONNECTED. ' +
      (timewait.client === null
        ? ''
        : `TIMEWAIT_EXIT came ${formatDigits(timewait.client, 4)} ms later${ack ? `, ${formatNumber(timewait.client / ack.ms)} times the ACK timeout of ${formatDigits(ack.ms, 4)} ms` : ''}. `) +
      `A WRITE over a new id and QP got ${again.status} ${wasMeanwhile(found.first, again) ? 'meanwhile' : 'after that'}${again.refusal === null ? '' : '; the old id did not connect'}.`,
  );
}
