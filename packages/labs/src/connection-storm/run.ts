import { median } from '@verbslab/protocol';
import { closeAll } from '../endpoints/scope.js';
import { formatNumber, plural } from '../base/format.js';
import { bendOf, kneeText } from '../base/sweep.js';
import { doubtOf } from '../base/verdict.js';
import { overflow } from './overflow.js';
import { openStage, type Context } from './stage.js';
import { makeStorm } from './storm.js';

export async function runConnectionStorm(ctx: Context): Promise<void> {
  const stage = await openStage(ctx);
  const levels = await makeStorm(stage);
  const found = await overflow(stage);
  ctx.draining();
  await stage.watch.stop();
  await closeAll(stage.client, stage.server);

  const [one, most] = [levels[0]!, levels.at(-1)!];
  const best = levels.reduce((a, b) => (b.cmRate.value > a.cmRate.value ? b : a));
  const byHand = levels.reduce((a, b) => (b.handRate.value > a.handRate.value ? b : a));
  const rates = levels.map(({ atOnce, cmRate }) => ({ x: atOnce, y: cmRate.value }));
  const ofMedian = (times: readonly number[]): number | null => (times.length > 0 ? median(times) : null);
  ctx.figure('rate-one', one.cmRate.value, one.cmRate);
  ctx.figure('rate-best', best.cmRate.value, best.cmRate);
  ctx.figure('best-at', best.atOnce);
  ctx.figure('rate-most', most.cmRate.value, most.cmRate);
  const doubt = doubtOf(best.cmRate, one.cmRate, levels.length - 1);
  ctx.figure('knee', doubt === null ? bendOf(rates) : null);
  ctx.figure('gain', one.cmRate.value > 0 ? best.cmRate.value / one.cmRate.value : null);
  ctx.figure('time-one', ofMedian(one.times), { n: one.times.length });
  ctx.figure('time-most', ofMedian(most.times), { n: most.times.length });
  ctx.figure('longest-most', most.times.at(-1) ?? null);
  ctx.figure('tcp-time', median(one.hand.map(({ beganAt, openedAt }) => (openedAt - beganAt) / 1000)), {
    n: one.hand.length,
  });
  ctx.figure('hand-best', byHand.handRate.value, byHand.handRate);
  ctx.figure('hand-at', byHand.atOnce);
  ctx.answer(
    `One at a time, rdma_cm made and ended ${formatNumber(one.cmRate.value)} connections per second; at most ${formatNumber(best.cmRate.value)}, with ${best.atOnce} at once. ${doubt === null ? kneeText(rates, (atOnce) => `${atOnce} at once`) : `Whether more at once are faster, this run does not show: ${doubt}.`} ` +
      `With a backlog of ${ctx.params.backlog}, a busy program rejected ${found.rejected.length} of ${plural(ctx.params.backlog + ctx.params.extra, 'request')}.`,
  );
}
