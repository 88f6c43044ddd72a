import { plural } from '../base/format.js';
import { closeBench, openBench } from '../failures/open.js';
import { tryDelivery } from './delivery.js';
import { tryFraming } from './framing.js';
import { tryMemory } from './memory.js';
import type { Context } from './trial.js';

export async function runContracts(ctx: Context): Promise<void> {
  const { bench, tapped } = await openBench(ctx);
  const memory = await ctx.step('memory', () => tryMemory(ctx, bench));
  await ctx.step('messages', () => tryFraming(ctx, bench, tapped));
  const { unread, rebuilt } = await ctx.step('delivery', () => tryDelivery(ctx, bench, tapped));
  ctx.draining();
  await closeBench(bench, tapped);
  const { messages } = ctx.params;
  const failed = unread.client.filter(({ status }) => status !== 0).length;
  ctx.answer(
    (memory
      ? `Of ${plural(messages, 'message')}, ${memory.waited} arrived when the client reused its buffer after each completion, and ${memory.reused} when it did so at once. `
      : '') +
      `When the server had left, ${unread.right} of ${messages} arrived, and the client got ${plural(failed, 'error status', 'error statuses')}. ` +
      (failed === 0
        ? 'So it had nothing to send again.'
        : `It connected again and sent what had failed: ${rebuilt.right} of ${rebuilt.sent} arrived.`),
  );
}
