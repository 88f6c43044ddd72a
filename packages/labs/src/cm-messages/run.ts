import { closeAll } from '../endpoints/scope.js';
import { conversations, messageOf } from '../cm/conversation.js';
import { formatNumber } from '../base/format.js';
import type { Stat } from '../base/sweep.js';
import { compare, doubtOf } from '../base/verdict.js';
import { checkCapture, checkConnections } from './checks.js';
import { connectBothWays, type Context } from './connect.js';
import { showFields } from './fields.js';
import { between, pairsOf, showCm, showHand, showMessages, type CmPair } from './timeline.js';

const UNTIL_READY = ['ConnectRequest', 'ConnectReply', 'ReadyToUse'];

function figure(ctx: Context, name: string, stat: Stat | null): void {
  ctx.figure(name, stat?.value ?? null, stat ?? {});
}

/** Shows the figures that come from the packets alone. */
function fromCapture(ctx: Context, pairs: readonly CmPair[]): void {
  const at =
    (name: string) =>
    ({ conversation }: CmPair): number | undefined =>
      messageOf(conversation, name)?.t;
  const last = pairs.at(-1)?.conversation;
  const first = last?.messages.filter(({ name }) => UNTIL_READY.includes(name)) ?? [];
  ctx.figure('messages', last ? first.length : null);
  ctx.figure('bytes', last ? first.reduce((sum, { length }) => sum + length, 0) : null);
  figure(ctx, 'answer-time', between(pairs, at('ConnectRequest'), at('ConnectReply')));
  figure(ctx, 'ready-time', between(pairs, at('ConnectReply'), at('ReadyToUse')));
  figure(ctx, 'end-time', between(pairs, at('DisconnectRequest'), at('DisconnectReply')));
}

const VERDICT = { higher: 'cm', lower: 'hand', unclear: 'unclear', few: 'unclear' } as const;

export async function runCmMessages(ctx: Context): Promise<void> {
  const found = await connectBothWays(ctx);
  const { cm, hand, watch } = found;
  ctx.draining();
  await watch.stop();
  const all = conversations(found.packets);
  const pairs = pairsOf(cm, all);
  showMessages(ctx, pairs);
  showCm(ctx, cm, pairs);
  showHand(ctx, hand);
  if (pairs[0]) showFields(ctx, pairs[0].conversation);
  fromCapture(ctx, pairs);
  const total = {
    cm: between(
      cm,
      (one) => one.beganAt,
      (one) => one.answeredAt,
    ),
    hand: between(
      hand,
      (one) => one.beganAt,
      (one) => one.doneAt,
    ),
  };
  figure(ctx, 'cm-total', total.cm);
  figure(ctx, 'hand-total', total.hand);
  ctx.figure('hand-bytes', Math.max(...hand.map(({ own, peer }) => `${own}\n${peer}\nready\n`.length)));
  checkConnections(ctx, found);
  checkCapture(ctx, found, all);
  if (total.cm && total.hand) {
    ctx.outcome('slower', VERDICT[compare(total.cm, total.hand, 1)]);
    const doubt = doubtOf(total.cm, total.hand, 1);
    ctx.answer(
      `rdma_cm connects with three messages: ConnectRequest, ConnectReply and ReadyToUse. From the first call to ESTABLISHED it took ${formatNumber(total.cm.value)} µs${cm.length === 1 ? '' : ` (median of ${cm.length})`}; ` +
        `by hand over TCP it took ${formatNumber(total.hand.value)} µs${doubt === null ? '' : ` (${doubt})`}.`,
    );
  }
  await closeAll(found.client, found.server);
}
