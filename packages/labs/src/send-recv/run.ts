import { formatBytes, plural } from '../format.js';
import { compareCredits } from './credits.js';
import type { Context } from './ends.js';
import { sendInOrder } from './in-order.js';
import { tryRefused } from './refused.js';

export async function runSendRecv(ctx: Context): Promise<void> {
  const { size, messages, burst, recvs } = ctx.params;
  await sendInOrder(ctx);
  await tryRefused(ctx);
  await compareCredits(ctx);
  ctx.draining();
  ctx.answer(
    `${plural(messages, 'message')} of up to ${formatBytes(size)} took ${plural(messages, 'RECV')}, in posting order, including the empty one. ` +
      `A RECV that was one byte too small ended the connection. A burst of ${burst} messages for ${plural(recvs, 'RECV')} needed RNR retries to get through, and with credits it needed none.`,
  );
}
