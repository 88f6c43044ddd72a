import type { LabContext } from '@verbslab/protocol';
import { statusText } from '../failures/evidence.js';
import { Bench } from '../failures/bench.js';
import { formatNumber, plural } from '../base/format.js';
import { RETRY_EXC_ERR, RNR_RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';
import { startTap } from '../wire/tap.js';
import { middle, unanswered, unreceived, type Series } from './measure.js';
import type { RetryTimersParams } from './params.js';
import {
  beyondText,
  beyondTimers,
  leastAckMs,
  leastRnrMs,
  RNR_RETRIES,
  timeoutMs,
  timeouts,
} from '../formulas/retry-timers.js';

type Context = LabContext<RetryTimersParams>;

/** A line of a table. */
interface Line {
  x: number;
  retries: number;
  wait: number;
  least: number;
  series: Series;
}

export async function runRetryTimers(ctx: Context): Promise<void> {
  const { timeout, retries, rnrTimer, repeat, link } = ctx.params;
  const bench = new Bench(ctx, ctx.endpoint('client'), ctx.endpoint('server'), link);
  // The first connection of a process is slower than the others.
  await unanswered(bench, 4, 0, 1);
  const tapped = await startTap(ctx, 'client', false, { maxPackets: 4096, mode: 'keep' });
  const ack: Line[] = [];
  for (const x of timeouts(timeout)) {
    const series = await unanswered(bench, x, retries, repeat);
    ack.push({ x, retries, wait: timeoutMs(x), least: leastAckMs(x, retries), series });
    show(ctx, 'ack', 'timeout', ack.at(-1)!);
  }
  const rnr: Line[] = [];
  for (const x of RNR_RETRIES) {
    const series = await unreceived(bench, rnrTimer, x, repeat);
    rnr.push({ x, retries: x, wait: leastRnrMs(rnrTimer, 1), least: leastRnrMs(rnrTimer, x), series });
    show(ctx, 'rnr', 'retry', rnr.at(-1)!);
  }
  if (tapped) await bench.client.call('tap.stop', {});
  judge(ctx, 'ack', RETRY_EXC_ERR, ack);
  judge(ctx, 'rnr', RNR_RETRY_EXC_ERR, rnr);
  conclude(ctx, ack, rnr.at(-1)!);
}

function show(ctx: Context, table: 'ack' | 'rnr', column: string, { x, wait, least, series }: Line): void {
  const measured = middle(series);
  const [min, max] = [series.times[0] ?? null, series.times.at(-1) ?? null];
  ctx.row(table, {
    [column]: x,
    wait,
    least,
    measured,
    min,
    max,
    ratio: measured === null || least === 0 ? null : measured / least,
    again: series.again[0] ?? null,
    status: statusText(series.statuses[0] ?? null),
  });
  const spread = { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) };
  ctx.point(`${table}Curve`, { x, y: measured, series: 'measured', ...spread });
  // A logarithmic axis has no zero.
  if (least > 0) ctx.point(`${table}Curve`, { x, y: least, series: 'least' });
}

function judge(ctx: Context, what: 'ack' | 'rnr', status: number, lines: readonly Line[]): void {
  const all = lines.flatMap(({ series }) => series.statuses);
  const wrong = all.filter((one) => one !== status).length;
  ctx.check(
    `${what}-status`,
    wrong === 0,
    `${plural(all.length, 'request')}, ${all.length - wrong} with status ${statusText(status)}.`,
  );
  const early = lines.flatMap(({ least, series }) => series.times.filter((time) => time < least));
  ctx.check(
    `${what}-least`,
    early.length === 0,
    early.length === 0
      ? 'No request failed earlier than the formula allows.'
      : `${plural(early.length, 'request')} failed too early, the first after ${formatNumber(early[0]!)} ms.`,
  );
  const counted = lines.flatMap(({ retries, series }) =>
    series.again.flatMap((again) => (again === null ? [] : [again - retries])),
  );
  if (counted.length === 0)
    return ctx.doesNotApply(`${what}-tries`, 'This device does not count retransmitted packets.');
  const off = counted.filter((by) => by !== 0).length;
  ctx.check(
    `${what}-tries`,
    off === 0,
    off === 0
      ? `Each of ${plural(counted.length, 'request')} was retransmitted as often as the attribute says.`
      : `Retransmitted more or less often: ${plural(off, 'request')}.`,
  );
}

function conclude(ctx: Context, acks: readonly Line[], rnr: Line): void {
  const ack = acks.at(-1)!;
  const figure = (name: string, { series }: Line): number | null => {
    const value = middle(series);
    const { times } = series;
    ctx.figure(name, value, times.length ? { min: times[0]!, max: times.at(-1)!, n: times.length } : {});
    return value;
  };
  const ackTime = figure('ackTime', ack);
  const rnrTime = figure('rnrTime', rnr);
  ctx.figure('ackLeast', ack.least);
  ctx.figure('rnrLeast', rnr.least);
  ctx.figure('ackRatio', ackTime === null ? null : ackTime / ack.least);
  if (ackTime === null || rnrTime === null) return;
  ctx.outcome('times', ackTime / ack.least < 1.1 ? 'exact' : 'longer');
  const beyond = beyondTimers(acks.map(({ x, least, series }) => ({ x, least, measured: middle(series) })));
  if (beyond.at.length > 0) ctx.note(beyondText(beyond));
  ctx.answer(
    `With timeout ${ack.x} and retry_cnt ${ack.retries}, this device gave up on a peer that is gone after ${formatNumber(ackTime)} ms, ${formatNumber(ackTime / ack.least)} times the formula’s minimum of ${formatNumber(ack.least)} ms.`,
  );
}
