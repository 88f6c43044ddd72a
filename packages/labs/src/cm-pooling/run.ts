import { closeAll } from '../endpoints/scope.js';
import { formatTime, plural } from '../base/format.js';
import { reconnectByAll } from './outage.js';
import { openStage, type Context } from './stage.js';
import { compareWays } from './two-ways.js';

export async function runCmPooling(ctx: Context): Promise<void> {
  const stage = await openStage(ctx);
  const { own, kept } = await compareWays(stage);
  const outages = await reconnectByAll(stage);
  ctx.draining();
  await stage.watch.stop();
  await closeAll(...stage.clients, stage.server);
  const tries = (policy: string): string =>
    plural(outages.find((one) => one.policy === policy)?.tries ?? 0, 'time');
  ctx.answer(
    `A request with its own connection took ${formatTime(own.value * 1000)}, over a kept one ${formatTime(kept.value * 1000)}. ` +
      `After the restart, the clients tried ${tries('fixed')} with a fixed pause, ${tries('exponential')} with exponential back-off, and ${tries('jitter')} with jitter.`,
  );
}
