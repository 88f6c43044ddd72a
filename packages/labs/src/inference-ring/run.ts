import { formatNumber, plural } from '../format.js';
import { KNEE_PART, kneeOf } from '../load/sweep.js';
import { closeEnds, openEnds, type Context } from './ends.js';
import { lineOf, timeOf } from './line.js';
import { measureBatches, type Measured } from './measure.js';
import { extraOf, overflow, withoutRecv } from './overflow.js';
import { serveWithCredits } from './served.js';

const US = 1e-3;
const PER_SECOND = 1e9;
const THOUSAND = 1e3;

export async function runInferenceRing(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  await serveWithCredits(ctx, ends);
  await overflow(ctx, ends);
  await withoutRecv(ctx, ends);
  const measured = await measureBatches(ctx, ends);
  ctx.draining();
  await closeEnds(ends);
  report(ctx, measured);
}

/** Thousands of requests per second. */
const rateOf = (batch: number, ns: number): number => (batch * PER_SECOND) / ns / THOUSAND;

function report(ctx: Context, measured: readonly Measured[]): void {
  const line = lineOf(measured.map(({ batch, time }) => ({ batch, time: time.value })));
  for (const { batch, time } of measured) {
    ctx.row('sizes', {
      batch,
      time: time.value * US,
      computed: timeOf(line, batch) * US,
      rate: rateOf(batch, time.value),
    });
    ctx.point('latency', {
      x: batch,
      y: time.value * US,
      min: time.min * US,
      max: time.max * US,
      series: 'measured',
    });
    ctx.point('latency', { x: batch, y: timeOf(line, batch) * US, series: 'computed' });
    ctx.point('rate', {
      x: batch,
      y: rateOf(batch, time.value),
      min: rateOf(batch, time.max),
      max: rateOf(batch, time.min),
    });
  }
  const rates = measured.map(({ batch, time }) => ({ x: batch, y: rateOf(batch, time.value) }));
  const [one, all] = [measured[0]!, measured.at(-1)!];
  const knee = kneeOf(rates);
  const best = Math.max(...rates.map(({ y }) => y));
  ctx.figure('alone', one.time.value * US, spreadOf(one));
  ctx.figure('full', all.time.value * US, spreadOf(all));
  ctx.figure('rate-alone', rates[0]!.y);
  ctx.figure('rate-best', best);
  ctx.figure('knee', knee);
  ctx.figure('fixed', line.fixed * US);
  ctx.figure('each', line.each * US);
  ctx.answer(
    `One request alone took ${formatNumber(one.time.value * US)} µs, a batch of ${all.batch} took ${formatNumber(all.time.value * US)} µs. ` +
      `Batches of ${knee} reached ${KNEE_PART * 100} % of the best rate, ${formatNumber(best)} thousand requests per second, after ${formatNumber(rates[0]!.y)} thousand one by one. ` +
      `Without credits, ${plural(extraOf(ctx.params), 'request')} too many overwrote as many slots, and no status said so.`,
  );
}

const spreadOf = ({ time }: Measured): { min: number; max: number; n: number } => ({
  min: time.min * US,
  max: time.max * US,
  n: time.n,
});
