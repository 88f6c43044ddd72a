import type { LabContext } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { powersOf, type Stat } from '../base/sweep.js';
import { meanOf } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { heightOf } from '../form/common-results.js';
import {
  packetsOf,
  scenarioOf,
  slowdownOf,
  timeoutsOf,
  timeoutUs,
  waitedFor,
  withBarrier,
  type Ring,
} from './formula.js';
import { LOSSES, type LossId } from './losses.js';
import type { AllReduceLossParams } from './params.js';

type Context = LabContext<AllReduceLossParams>;

const FEWEST = 8;
/** A loss that a NAK repairs costs the ring at most this part of its time, at 1 % loss. */
const REPAIRS = 0.6;
/** Few timeouts come by chance, and some hosts time out while the ring waits for another. */
const FACTOR = 2;

interface Run {
  us: number;
  timeouts: number;
  again: number;
  failed: number;
}

interface Point {
  ring: Ring;
  loss: LossId;
  idealUs: number;
  runs: Run[];
  slowdown: Stat;
  timeouts: Stat;
}

const failedOf = ({
  flows_failed,
  flows_unfinished,
}: {
  flows_failed: number;
  flows_unfinished: number;
}): number => flows_failed + flows_unfinished;

async function measure(ctx: Context, ring: Ring, step: (title: string) => void): Promise<Point[]> {
  const name = `${ring.hosts} hosts`;
  const whole = await ctx.simulate(scenarioOf(ring, 0, ctx.params.seed), { title: `${name}, no loss` });
  const idealUs = whole.result.us;
  const points: Point[] = [];
  for (const { id, percent } of LOSSES) {
    const loss = percent / 100;
    const runs: Run[] = [];
    for (const seed of seedsOf(ctx.params)) {
      const title = `${name}, ${percent} % loss, seed ${seed}`;
      step(title);
      const { result } = await ctx.simulate(scenarioOf(ring, loss, seed), { title });
      const { us, timeouts, retransmitted: again } = result;
      runs.push({ us, timeouts, again, failed: failedOf(result) });
    }
    const slowdown = meanOf(runs.map(({ us }) => us / idealUs));
    const timeouts = meanOf(runs.map((one) => one.timeouts));
    const formula = slowdownOf(ring, loss, idealUs);
    const expected = timeoutsOf(ring, loss);
    ctx.row('rings', {
      hosts: ring.hosts,
      loss: percent,
      slowdown: slowdown.value,
      max: slowdown.max,
      formula,
      timeouts: timeouts.value,
      expected,
      again: meanOf(runs.map(({ again }) => again)).value,
    });
    ctx.point('slowdown', { x: ring.hosts, ...heightOf(slowdown), series: id });
    ctx.point('slowdown', { x: ring.hosts, y: formula, series: `${id}-formula` });
    points.push({ ring, loss: id, idealUs, runs, slowdown, timeouts });
  }
  const many = points.at(-1)!;
  const at = LOSSES.at(-1)!.percent / 100;
  ctx.point('expired', { x: ring.hosts, y: many.timeouts.value, series: 'measured' });
  ctx.point('expired', { x: ring.hosts, y: timeoutsOf(ring, at), series: 'expected' });
  ctx.point('expired', { x: ring.hosts, y: waitedFor(ring, at), series: 'waited' });
  return points;
}

export async function runAllReduceLoss(ctx: Context): Promise<void> {
  const { kibibytes, timeout, seeds } = ctx.params;
  const counts = powersOf(Number(ctx.params.growth), Number(ctx.params.hosts), FEWEST);
  const all: Point[] = [];
  // The cost of a ring grows with the square of its hosts.
  const weights = counts.map((hosts) => hosts ** 2);
  const total = weights.reduce((sum, one) => sum + one, 0);
  let before = 0;
  for (const [i, hosts] of counts.entries()) {
    let done = 0;
    const step = (title: string): void => {
      ctx.signal.throwIfAborted();
      ctx.progress((before + (weights[i]! * done++) / (LOSSES.length * seeds)) / total, title);
    };
    all.push(...(await measure(ctx, { hosts, packets: packetsOf(kibibytes), timeout }, step)));
    before += weights[i]!;
  }
  judge(ctx, all);
  conclude(ctx, all);
}

function judge(ctx: Context, all: readonly Point[]): void {
  const rto = timeoutUs(ctx.params.timeout);
  const runs = all.flatMap((point) => point.runs.map((run) => ({ ...run, idealUs: point.idealUs })));
  const failed = runs.reduce((sum, one) => sum + one.failed, 0);
  ctx.check(
    'whole',
    failed === 0,
    failed === 0 ? `All ${runs.length} all-reduces finished.` : `${plural(failed, 'flow')} failed.`,
  );
  // A second timeout in a row is twice as long.
  const beyond = runs.filter(
    ({ us, timeouts, idealUs }) => us - idealUs > REPAIRS * idealUs + 1.1 * timeouts * 2 * rto,
  );
  const quiet = runs.filter(({ timeouts }) => timeouts === 0);
  const worst = Math.max(1, ...quiet.map(({ us, idealUs }) => us / idealUs));
  ctx.check(
    'timers',
    beyond.length === 0,
    `${quiet.length} of ${runs.length} runs had no timeout, and took at most ${formatNumber(worst)} times the time without loss.`,
  );
  const sum = all.reduce(
    (most, { runs: some }) => most + some.reduce((part, one) => part + one.timeouts, 0),
    0,
  );
  const expected = all.reduce(
    (most, { ring, loss, runs: some }) => most + some.length * timeoutsOf(ring, percentOf(loss) / 100),
    0,
  );
  const slack = 4 * Math.sqrt(expected);
  ctx.check(
    'expected',
    sum <= FACTOR * expected + slack && sum >= expected / FACTOR - slack,
    `${formatNumber(sum)} timeouts in all runs together; the formula expects ${formatNumber(expected)}.`,
  );
}

const percentOf = (id: LossId): number => LOSSES.find((one) => one.id === id)!.percent;

function conclude(ctx: Context, all: readonly Point[]): void {
  const last = (id: LossId): Point => all.filter(({ loss }) => loss === id).at(-1)!;
  const [rare, some, many] = LOSSES.map(({ id }) => last(id)) as [Point, Point, Point];
  const rto = timeoutUs(ctx.params.timeout);
  for (const [name, { slowdown }] of [
    ['rare', rare],
    ['some', some],
    ['many', many],
  ] as const)
    ctx.figure(name, slowdown.value, slowdown);
  const at = percentOf('many') / 100;
  ctx.figure('formula', slowdownOf(many.ring, at, many.idealUs));
  const barrier = withBarrier(some.ring, percentOf('some') / 100, some.idealUs);
  ctx.figure('barrier', barrier);
  ctx.figure('timeouts', many.timeouts.value, many.timeouts);
  ctx.figure('expected', timeoutsOf(many.ring, at));
  ctx.figure('waited', meanOf(many.runs.map(({ us }) => (us - many.idealUs) / rto)).value);
  ctx.figure('rto', rto / 1000);
  ctx.figure('whole', many.idealUs / 1000);
  const { value } = many.slowdown;
  ctx.outcome('many', value < 1.5 ? 'little' : value < 5 ? 'some' : 'much');
  ctx.answer(
    `With ${many.ring.hosts} hosts, an all-reduce took ${formatNumber(rare.slowdown.value)} times as long at 0.01 % loss, ${formatNumber(some.slowdown.value)} at 0.1 % and ${formatNumber(value)} at 1 %. What costs is not the loss but the packet that is lost again: it waits for the ACK timeout.`,
  );
}
