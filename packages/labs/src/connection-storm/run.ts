import { median } from '@verbslab/protocol';
import { closeCmClient, closeCmServer } from '../cm/ends.js';
import { formatNumber, formatTime, plural } from '../format.js';
import { overflow } from './overflow.js';
import { openStage, type Context } from './stage.js';
import { makeStorm } from './storm.js';

export async function runConnectionStorm(ctx: Context): Promise<void> {
  const stage = await openStage(ctx);
  const levels = await makeStorm(stage);
  const found = await overflow(stage);
  ctx.draining();
  await stage.watch.stop();
  await closeCmClient(stage.client);
  await closeCmServer(stage.server);

  const [one, most] = [levels[0]!, levels.at(-1)!];
  const best = levels.reduce((a, b) => (b.cmRate > a.cmRate ? b : a));
  const ofMedian = (times: readonly number[]): number | null => (times.length > 0 ? median(times) : null);
  ctx.figure('rate-one', one.cmRate);
  ctx.figure('rate-best', best.cmRate);
  ctx.figure('best-at', best.atOnce);
  ctx.figure('gain', one.cmRate > 0 ? best.cmRate / one.cmRate : null);
  ctx.figure('time-one', ofMedian(one.times), { n: one.times.length });
  ctx.figure('time-most', ofMedian(most.times), { n: most.times.length });
  ctx.figure('longest-most', most.times.at(-1) ?? null);
  ctx.figure('tcp-time', median(one.hand.map(({ beganAt, openedAt }) => (openedAt - beganAt) / 1000)), {
    n: one.hand.length,
  });
  ctx.figure('hand-best', Math.max(...levels.map(({ handRate }) => handRate)));
  ctx.answer(
    `One at a time, rdma_cm made and ended ${formatNumber(one.cmRate)} connections per second; at most ${formatNumber(best.cmRate)}, with ${best.atOnce} at once. ` +
      (one.times.length > 0 && most.times.length > 0
        ? `The median time to connect went from ${formatTime(median(one.times) * 1000)} to ${formatTime(median(most.times) * 1000)} with ${most.atOnce} at once. `
        : '') +
      `With a backlog of ${ctx.params.backlog}, ${plural(found.rejected.length, 'request')} of ${ctx.params.backlog + ctx.params.extra} were rejected while the program was busy.`,
  );
}
