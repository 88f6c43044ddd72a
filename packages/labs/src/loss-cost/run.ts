import type { LabContext } from '@verbslab/protocol';
import { heightOf } from '../form/common-results.js';
import { formatBytes, formatExact, formatNumber, plural } from '../base/format.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import type { Stat } from '../base/sweep.js';
import { checkFigures } from '../endpoints/too-busy.js';
import { compare } from '../base/verdict.js';
import { captureLosses } from './capture.js';
import { measureAll, SLOTS, type Point } from './measure.js';
import type { LossCostParams } from './params.js';

type Context = LabContext<LossCostParams>;

export async function runLossCost(ctx: Context): Promise<void> {
  const { small, large, window, timeout, link } = ctx.params;
  const pairs = new Map<number, Pair>();
  for (const size of new Set([small, large]))
    pairs.set(
      size,
      await connectPair(ctx, { link, memory: SLOTS * size, sendDepth: window, connect: { timeout } }),
    );
  const points = await measureAll(ctx, pairs);
  show(ctx, points);
  await captureLosses(ctx, pairs.get(small)!);
  for (const pair of pairs.values()) await closePair(pair);
  const arrived = judge(ctx, points);
  conclude(ctx, points, arrived);
}

const base = (points: readonly Point[], { size, window }: Pick<Point, 'size' | 'window'>): Point =>
  points.find((one) => one.size === size && one.window === window && one.loss === 0)!;

/** Per cent of the goodput without loss, with the range that the repetitions of both allow. */
function kept(points: readonly Point[], { gbps, ...point }: Point): Stat {
  const lossless = base(points, point).gbps;
  return {
    value: (100 * gbps.value) / lossless.value,
    min: (100 * gbps.min) / lossless.max,
    max: (100 * gbps.max) / lossless.min,
    n: gbps.n,
  };
}

/** Shows the input of the formula, in the units of the table. */
function showSender(ctx: Context, { size, window, sender }: Point): void {
  ctx.row('formula', {
    size,
    window,
    packets: sender.packets,
    time: sender.perMessage / 1000,
    latency: sender.latency / 1000,
    timeout: sender.timeout / 1e6,
  });
}

/** Loss makes nothing faster: what seems so is what other programs took from the repetitions without loss. */
const leftText = ({ value }: Stat): string =>
  value > 100
    ? `no lower than without (${formatNumber(value)} % of it, as other programs decide)`
    : `${formatNumber(value)} % of the one without`;

const rangeText = ({ min, max }: Stat): string => `${formatNumber(min)} to ${formatNumber(max)} Gb/s`;

/** Sum over all repetitions. */
const sumOf = ({ rounds }: Point, of: 'lost' | 'timeouts' | 'retransmitted'): number =>
  rounds.reduce((all, round) => all + round[of], 0);

function show(ctx: Context, points: readonly Point[]): void {
  for (const point of points) {
    const { size, window, loss, gbps, predicted } = point;
    ctx.row('points', {
      size,
      window,
      loss: loss * 100,
      gbps: gbps.value,
      min: gbps.min,
      max: gbps.max,
      predicted,
      residual: loss === 0 ? null : (gbps.value / predicted - 1) * 100,
      lost: sumOf(point, 'lost'),
      timeouts: sumOf(point, 'timeouts'),
      again: sumOf(point, 'retransmitted'),
    });
    if (loss === 0) showSender(ctx, point);
    // A logarithmic axis has no zero.
    if (loss === 0) continue;
    // Medians only: a range of ratios takes the slowest repetition beside the fastest one.
    ctx.point('left', {
      x: loss * 100,
      y: kept(points, point).value,
      series: `${size === ctx.params.small ? 'small' : 'large'}-${window === 1 ? 'one' : 'several'}`,
    });
    const curve = size === ctx.params.small ? 'small' : 'large';
    const series = window === 1 ? 'one' : 'several';
    const x = loss * 100;
    ctx.point(curve, { x, ...heightOf(gbps), series });
    ctx.point(curve, { x, y: predicted, series: `${series}-formula` });
  }
}

/** Returns true if every byte arrived. */
function judge(ctx: Context, points: readonly Point[]): boolean {
  const worst = Math.max(...points.map(({ loss }) => loss));
  const lossy = points.filter(({ loss }) => loss === worst);
  const apart = lossy.filter((point) => point.gbps.min > base(points, point).gbps.max);
  const faster = apart.map((point) => {
    const { size, window, gbps } = point;
    return `${formatBytes(size)}, ${window} in flight: ${rangeText(gbps)} with loss, ${rangeText(base(points, point).gbps)} without.`;
  });
  const clear = apart.some(
    (point) => compare(point.gbps, base(points, point).gbps, lossy.length) === 'higher',
  );
  // Programs beside the lab can slow down the few repetitions without loss, and only those.
  checkFigures(
    ctx,
    'slower',
    { holds: faster.length === 0, refuted: clear },
    faster.length === 0
      ? `With ${formatExact(worst * 100)} % loss no setting was clearly faster than without.`
      : faster.join(' '),
  );
  const rounds = points.flatMap((point) => point.rounds);
  const missing = rounds.filter(({ arrived }) => arrived === false).length;
  const idle = rounds.filter(({ arrived }) => arrived === null).length;
  const lost = rounds.reduce((sum, round) => sum + round.lost, 0);
  ctx.check(
    'arrived',
    missing === 0,
    missing === 0
      ? `${plural(lost, 'packet')} ${lost === 1 ? 'was' : 'were'} lost in ${plural(rounds.length, 'measurement')}. After each${idle === 0 ? '' : ' in which a message completed'} the server’s memory held what the client wrote, and no request failed.${idle === 0 ? '' : ` In ${plural(idle, 'measurement')} no message completed in time.`}`
      : `After ${plural(missing, 'measurement')} of ${rounds.length} the server’s memory was not what the client wrote.`,
  );
  return missing === 0;
}

function conclude(ctx: Context, points: readonly Point[], arrived: boolean): void {
  const { small, large, window, highest } = ctx.params;
  const at = (size: number, depth: number, loss: number): Point =>
    points.find((one) => one.size === size && one.window === depth && one.loss === loss)!;
  for (const [name, size, depth] of [
    ['kept', large, window],
    ['kept-small', small, window],
    ['kept-alone', small, 1],
    ['kept-large-alone', large, 1],
  ] as const) {
    const share = kept(points, at(size, depth, 0.01));
    ctx.figure(name, share.value, share);
  }
  ctx.figure('lost-alone', sumOf(at(small, 1, 0.01), 'lost'));
  ctx.figure('timeout', at(small, 1, 0).sender.timeout / 1e6);
  const most = at(large, window, highest / 100);
  ctx.figure('lossless', at(large, window, 0).gbps.value, at(large, window, 0).gbps);
  const worst = kept(points, most);
  ctx.figure('worst', worst.value, worst);
  const residuals = points
    .filter(({ loss }) => loss > 0)
    .map(({ gbps, predicted }) => gbps.value / predicted - 1);
  ctx.figure(
    'residual',
    100 * residuals.reduce((far, one) => (Math.abs(one) > Math.abs(far) ? one : far), 0),
  );
  const alone = kept(points, at(small, 1, 0.01));
  const left = compare(alone, kept(points, at(small, window, 0.01)), 1);
  ctx.outcome('window', left === 'lower' ? 'one' : left === 'higher' ? 'several' : 'unclear');
  ctx.answer(
    `With 1 % loss the goodput was ${leftText(kept(points, at(large, window, 0.01)))} with ${window} messages of ${formatBytes(large)} in flight, and ${leftText(alone)} with one message of ${formatBytes(small)}.${arrived ? ' Every byte arrived.' : ''}`,
  );
}
