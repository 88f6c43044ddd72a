import { closeAll } from '../endpoints/scope.js';
import { formatCount, formatNumber, plural } from '../base/format.js';
import { openEnds, type Context } from './endpoints.js';
import { chunkOf, stepOf } from './layout.js';
import { measureServer, type ServerCpu } from './server-cpu.js';
import { expectedOf, train, type Trained } from './train.js';

/** Parameters are floats of 24 bits, and errors add up over the updates. */
const TOLERANCE = 1e-4;
const SHOWN = 10;

export async function runParameterServer(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  const both = await train(ctx, ends);
  const cpu = await measureServer(ctx, ends);
  ctx.draining();
  await closeAll(...ends.workers, ends.server);
  showChunks(ctx, both[0]!);
  judgePushes(ctx, both);
  judgePulls(ctx, both);
  judgeStaleness(ctx, both);
  judgeModel(ctx, both);
  showCpu(ctx, cpu);
  conclude(ctx, both);
}

function showChunks(ctx: Context, { taken }: Trained): void {
  const { notices, headers } = taken[0]!;
  ctx.figure('notifications', notices.length);
  for (const { immediate, bytes } of notices) {
    const number = chunkOf(immediate);
    ctx.row('chunks', {
      immediate: `0x${immediate.toString(16).padStart(8, '0')}`,
      step: stepOf(immediate),
      number,
      layer: headers[number]?.layer ?? null,
      offset: headers[number]?.offset ?? null,
      bytes,
    });
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function judgePushes(ctx: Context, both: readonly Trained[]): void {
  const pushes = sum(both.map(({ taken }) => taken.length));
  const ordered = sum(both.map((one) => one.ordered));
  const free = sum(both.map((one) => one.free));
  const notices = sum(both.flatMap(({ taken }) => taken.map((one) => one.notices.length)));
  const wrong = sum(both.flatMap(({ taken }) => taken.map((one) => one.wrong)));
  ctx.check(
    'order',
    ordered === pushes,
    `Of ${plural(pushes, 'push', 'pushes')} with ${plural(notices, 'notification')}, ${ordered} came with all chunks of the worker’s next step, in the order of their numbers.`,
  );
  ctx.check(
    'headers',
    wrong === 0,
    `${formatCount(notices - wrong)} of ${plural(notices, 'chunk')} named their layer and offset.`,
  );
  ctx.check(
    'free',
    free === pushes,
    `Before ${free} of ${plural(pushes, 'push', 'pushes')} the worker had read that the server had taken its last step.`,
  );
}

function judgePulls(ctx: Context, both: readonly Trained[]): void {
  const told = sum(both.map(({ toldByPulls }) => toldByPulls));
  const pulls = sum(both.map((one) => one.pulls));
  ctx.figure('pull-completions', told, { n: pulls });
  ctx.check(
    'silent',
    told === 0,
    `After ${plural(pulls, 'pull')} the server had ${plural(told, 'completion')}.`,
  );
}

function judgeStaleness(ctx: Context, [synchronous, asynchronous]: readonly Trained[]): void {
  const { workers } = ctx.params;
  const of = ({ updates }: Trained): number[] => updates.map(({ read, appliedTo }) => appliedTo - read);
  const stale = of(synchronous!).filter((versions) => versions !== 0).length;
  ctx.check(
    'lockstep',
    stale === 0,
    `${plural(stale, 'update')} of ${synchronous!.updates.length} used gradients of an older version.`,
  );
  const first = of(asynchronous!).slice(0, workers);
  const later = of(asynchronous!).slice(workers);
  const [min, max] = [Math.min(...later), Math.max(...later)];
  ctx.figure('staleness', sum(later) / later.length, { min, max, n: later.length });
  ctx.check(
    'turns',
    min === workers - 1 && max === workers - 1 && first.every((versions, i) => versions === i),
    `In the first turns the staleness was ${first.join(', ')}, and then ${min === max ? min : `${min} to ${max}`}.`,
  );
  for (const [i, { worker, read, appliedTo, distance }] of asynchronous!.updates.slice(0, SHOWN).entries())
    ctx.row('updates', {
      update: i + 1,
      worker: worker + 1,
      read,
      applied: appliedTo,
      staleness: appliedTo - read,
      distance,
    });
}

function judgeModel(ctx: Context, both: readonly Trained[]): void {
  let worst = 0;
  for (const trained of both) {
    ctx.point('distance', { x: 0, y: 1, series: trained.way });
    const expected = expectedOf(trained, ctx.params.rate);
    for (const [i, { distance }] of trained.updates.entries()) {
      // A float that has reached the optimum has no place on a logarithmic axis.
      const y = distance > 0 ? distance : null;
      ctx.point('distance', { x: (i + 1) * trained.gradients, y, series: trained.way });
      worst = Math.max(worst, Math.abs(distance - expected[i]!) / Math.max(1, expected[i]!));
    }
  }
  ctx.check(
    'model',
    worst < TOLERANCE,
    `After each update, the distance to the optimum was the computed one (largest difference ${worst.toExponential(1)}, allowed ${TOLERANCE}).`,
  );
}

function showCpu(ctx: Context, { pull, push }: ServerCpu): void {
  for (const [name, { appNs, nicNs }] of [
    ['pull', pull],
    ['push', push],
  ] as const) {
    ctx.figure(`${name}-app`, appNs / 1000);
    ctx.figure(`${name}-nic`, nicNs === null ? null : nicNs / 1000);
  }
}

function conclude(ctx: Context, [synchronous, asynchronous]: readonly Trained[]): void {
  const { rate, workers, steps } = ctx.params;
  const end = ({ updates }: Trained): number => updates.at(-1)!.distance;
  const [sync, async] = [end(synchronous!), end(asynchronous!)];
  ctx.figure('distance-sync', sync);
  ctx.figure('distance-async', async);
  ctx.outcome('closer', async < sync ? 'asynchronous' : 'synchronous');
  ctx.answer(
    `In turns, from each of ${plural(workers, 'worker')}’s second step on, a gradient is ${plural(workers - 1, 'version')} stale. ` +
      `After ${plural(workers * steps, 'gradient')} at rate ${rate} the distance to the optimum is ${formatNumber(sync)} in lockstep and ${formatNumber(async)} in turns.`,
  );
}
