import type { LabContext } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { farthest } from '../fabric/means.js';
import type { AckTimeoutParams } from './params.js';
import {
  ackIntervalUs,
  FULL,
  lossFormula,
  lossTolerance,
  lossy,
  neededBy,
  queued,
  tail,
  timeoutUs,
} from './scenarios.js';

type Context = LabContext<AckTimeoutParams>;

const TIMEOUTS = [3, 4, 5, 6, 7, 8, 10, 12, 14];
/** A timeout that expires before the first ACK can be back says nothing about the last packet. */
const LEAST_FOR_TAIL = 4;
const TAIL_TOLERANCE = 0.05;

interface Point {
  timeout: number;
  kept: number;
  formula: number;
  /** Part by which `kept` may differ from `formula`. */
  tolerance: number;
  sent: number;
  needless: number;
  failed: number;
  interval: number;
  /** ms; null where the timeout is too short for the path. */
  tail: number | null;
  expected: number | null;
}

async function measure(ctx: Context, timeout: number, wholeMs: number): Promise<Point> {
  const { loss, senders, seed } = ctx.params;
  const flow = await ctx.simulate(lossy(timeout, loss / 100, seed), {
    title: `Random loss, timeout ${timeout}`,
  });
  const many = await ctx.simulate(queued(timeout, senders, seed), { title: `Queue, timeout ${timeout}` });
  const last =
    timeout < LEAST_FOR_TAIL
      ? null
      : await ctx.simulate(tail(timeout, true), { title: `Last packet lost, timeout ${timeout}` });
  const { flows_failed, flows_unfinished, timeouts, packets, us } = many.result;
  const point: Point = {
    timeout,
    kept: flow.result.goodput_gbps / FULL,
    formula: lossFormula(timeout, loss / 100, flow.scenario.rtt_us),
    tolerance: lossTolerance(timeout, loss / 100, flow.scenario.rtt_us),
    sent: (packets.data?.made ?? 0) / neededBy(senders),
    needless: timeouts,
    failed: flows_failed + flows_unfinished,
    interval: ackIntervalUs(senders, many.scenario.rtt_us),
    tail: last ? last.result.us / 1000 : null,
    expected: last ? wholeMs + timeoutUs(timeout) / 1000 : null,
  };
  ctx.row('timeouts', {
    timeout,
    us: timeoutUs(timeout),
    kept: point.kept * 100,
    formula: point.formula * 100,
    expired: flow.result.timeouts,
    sent: point.sent,
    time: point.failed > 0 ? null : us / 1000,
    failed: point.failed,
    tail: point.tail,
  });
  ctx.point('kept', { x: timeout, y: point.kept * 100, series: 'measured' });
  ctx.point('kept', { x: timeout, y: point.formula * 100, series: 'formula' });
  ctx.point('sent', { x: timeout, y: point.sent, series: 'measured' });
  if (isSafe(point)) ctx.point('sent', { x: timeout, y: 1, series: 'safe' });
  if (point.tail !== null && point.expected !== null) {
    ctx.point('last-packet', { x: timeout, y: point.tail, series: 'measured' });
    ctx.point('last-packet', { x: timeout, y: point.expected, series: 'formula' });
  }
  return point;
}

const isSafe = ({ timeout, interval }: Point): boolean => timeoutUs(timeout) > interval;
const residual = ({ kept, formula }: Point): number => (kept / formula - 1) * 100;

export async function runAckTimeout(ctx: Context): Promise<void> {
  const { longest } = ctx.params;
  const timeouts = TIMEOUTS.filter((timeout) => timeout <= Number(longest));
  const whole = await ctx.simulate(tail(timeouts.at(-1)!, false), { title: 'A message without loss' });
  const wholeMs = whole.result.us / 1000;
  const all: Point[] = [];
  for (const [i, timeout] of timeouts.entries()) {
    ctx.progress(i / timeouts.length, `Timeout ${timeout}`);
    all.push(await measure(ctx, timeout, wholeMs));
  }
  judge(ctx, all);
  conclude(ctx, all, wholeMs);
}

function judge(ctx: Context, all: readonly Point[]): void {
  const wrong = all.filter((one) => isSafe(one) !== (one.needless === 0));
  ctx.check(
    'queue',
    wrong.length === 0,
    wrong.length === 0
      ? `At ${plural(all.length, 'timeout')}, packets were sent again exactly where the timeout is below ${formatNumber(all[0]!.interval)} µs.`
      : `The expectation fails at ${wrong.map(({ timeout }) => timeout).join(', ')}.`,
  );
  const beyond = all.filter((one) => Math.abs(residual(one)) > one.tolerance * 100);
  const [first, last] = [all[0]!, all.at(-1)!];
  ctx.check(
    'loss',
    beyond.length === 0,
    `The goodput under loss differs from the formula by ${formatNumber(Math.abs(residual(first)))} % with timeout ${first.timeout} (limit ${formatNumber(first.tolerance * 100)} %), and by ${formatNumber(Math.abs(residual(last)))} % with ${last.timeout} (limit ${formatNumber(last.tolerance * 100)} %): fewer timeouts expire.`,
  );
  const late = all.flatMap(({ tail: ms, expected }) =>
    ms === null || expected === null ? [] : [ms / expected - 1],
  );
  const off = farthest(late);
  ctx.check(
    'tail',
    late.length > 0 && Math.abs(off) <= TAIL_TOLERANCE,
    `A lost last packet cost one timeout at ${plural(late.length, 'setting')}, within ${formatNumber(Math.abs(off) * 100)} %.`,
  );
}

function conclude(ctx: Context, all: readonly Point[], wholeMs: number): void {
  const last = all.at(-1)!;
  const best = Math.max(...all.map(({ kept }) => kept));
  const worst = all.reduce((most, one) => (one.sent > most.sent ? one : most));
  const safe = all.find(({ needless }) => needless === 0)?.timeout ?? null;
  const failed = Math.max(...all.map((one) => one.failed));
  ctx.figure('longest', last.kept * 100);
  ctx.figure('best', best * 100);
  ctx.figure('shortest-safe', safe);
  ctx.figure('interval', last.interval);
  ctx.figure('too-short', worst.sent);
  ctx.figure('failed', failed);
  ctx.figure('tail', last.tail);
  ctx.figure('whole', wholeMs);
  ctx.figure('residual', farthest(all.map(residual)));
  ctx.outcome('short', failed > 0 ? 'fail' : worst.sent > 1.1 ? 'again' : 'nothing');
  ctx.answer(
    `The longest timeout kept ${formatNumber(last.kept * 100)} % of the goodput under loss, the best one ${formatNumber(best * 100)} %. In the queue, the shortest made the hosts send up to ${formatNumber(worst.sent)} times what was needed, and ${plural(failed, 'flow')} failed.`,
  );
}
