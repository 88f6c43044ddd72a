import { heightOf } from '../form/common-results.js';
import { closeAll } from '../endpoints/scope.js';
import { formatNumber, plural } from '../base/format.js';
import { KNEE_PART, scaled } from '../base/sweep.js';
import { bestOf } from './best.js';
import { openEnds, type Context } from './endpoints.js';
import { batchAt, deviationOf, lineOf, timeOf } from './line.js';
import { measureBatches, type Measured } from './measure.js';
import { extraOf, overflow, withoutRecv, type Overflow } from './overflow.js';
import { serveWithCredits } from './served.js';

const US = 1e-3;
const PER_SECOND = 1e9;
const THOUSAND = 1e3;
/** A line that is this far from a median does not describe the times. */
const FAR_OFF = 0.2;

export async function runInferenceRing(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  await serveWithCredits(ctx, ends);
  const overflowed = await overflow(ctx, ends);
  await withoutRecv(ctx, ends);
  const measured = await measureBatches(ctx, ends);
  ctx.draining();
  await closeAll(ends.client, ends.server);
  report(ctx, measured, overflowed);
}

/** Thousands of requests per second. */
const rateOf = (batch: number, ns: number): number => (batch * PER_SECOND) / ns / THOUSAND;

function report(ctx: Context, measured: readonly Measured[], { overwritten, completions }: Overflow): void {
  const medians = measured.map(({ batch, time }) => ({ batch, time: time.value }));
  const line = lineOf(medians);
  for (const { batch, time } of measured) {
    ctx.row('sizes', {
      batch,
      time: time.value * US,
      shortest: time.min * US,
      longest: time.max * US,
      computed: timeOf(line, batch) * US,
      rate: rateOf(batch, time.value),
    });
    ctx.point('latency', {
      x: batch,
      ...heightOf(scaled(time, US)),
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
  const [one, all] = [measured[0]!, measured.at(-1)!];
  const best = bestOf(measured);
  const rateOne = rateOf(one.batch, one.time.value);
  const rateBest = rateOf(best.batch, best.time);
  const deviation = deviationOf(line, medians);
  ctx.figure('alone', one.time.value * US, scaled(one.time, US));
  ctx.figure('full', all.time.value * US, scaled(all.time, US));
  ctx.figure('rate-alone', rateOne);
  ctx.figure('rate-best', rateBest);
  ctx.figure('best-at', best.batch);
  ctx.figure('knee', best.knee);
  ctx.figure('fixed', line.fixed * US);
  ctx.figure('each', line.each * US);
  ctx.figure('limit', line.each > 0 ? rateOf(1, line.each) : null);
  ctx.figure('knee-line', batchAt(line, KNEE_PART));
  ctx.figure('deviation', deviation.part * 100);
  ctx.figure('deviation-at', deviation.batch);
  ctx.answer(
    `One request at a time gave ${formatNumber(rateOne)} thousand requests per second. The highest median rate, ${formatNumber(rateBest)} thousand, came with batches of ${best.batch}${best.text}`,
  );
  if (deviation.part > FAR_OFF)
    ctx.note(
      `The line through the medians is up to ${formatNumber(deviation.part * 100)} % off, so it does not describe this run.`,
    );
  ctx.note(
    `Without credits, the client wrote ${plural(ctx.params.slots + extraOf(ctx.params), 'request')} into ${plural(ctx.params.slots, 'slot')}: ${plural(overwritten, 'slot')} ${overwritten === 1 ? 'was' : 'were'} overwritten before the server had read ${overwritten === 1 ? 'it' : 'them'}, and ${plural(completions, 'completion')} at both ends said success.`,
  );
}
