import { cellsOf } from '../form/common-results.js';
import { closeAll } from '../endpoints/scope.js';
import { AppError, bytesOfBase64 } from '@verbslab/protocol';
import { formatBytes, formatNumber } from '../base/format.js';
import { RESULT_BYTES } from '../lambda/endpoints.js';
import { functionOf, type ShippedFunction } from '../lambda/functions.js';
import { statOf, type Stat } from '../base/sweep.js';
import { compare, ratioText } from '../base/verdict.js';
import { breakEven, type BreakEven } from './break-even.js';
import { openEnds, type Context } from './endpoints.js';
import { closeJob, measureAll, openJob, type Setting } from './measure.js';
import { tryRefusals } from './refusals.js';
import { measureStages, showRest } from './stages.js';
import { payloadOf, WAYS, type Job, type WayId } from './ways.js';

const KIB = 1024;

interface Found extends Setting {
  us: Stat;
}

export async function runRemoteExecution(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  const one = await functionFor(ctx);
  await tryRefusals(ctx, ends);
  const job = await openJob(ends, one);
  ctx.figure('image', job.imageBytes);
  const settings = await measureAll(ctx, job);
  const parts = await measureStages(ctx, job);
  ctx.draining();
  await closeJob(job);
  await closeAll(ends.client, ends.server);
  const all = settings.map((one) => ({ ...one, us: statOf(one.found.map(({ us }) => us)) }));
  show(ctx, job, all);
  showRest(ctx, of(all, 'ship').at(-1)!.us.value, parts);
  conclude(ctx, all);
}

/**
 * Function of the lab, or the module that the owner of the client’s agent named. Throws AppError BAD_PARAM where there
 * is none.
 */
async function functionFor(ctx: Context): Promise<ShippedFunction> {
  if (ctx.params.function !== 'own') return functionOf(ctx.params.function);
  const { module } = await ctx.endpoint('client').call('lambda.own', {});
  if (module === null)
    throw new AppError('BAD_PARAM', {
      param: 'function',
      detail: 'the client’s agent has no module of yours',
      hint: 'Start it with VERBSLAB_MODULE=/path/to/module.wasm, or choose another function.',
    });
  return { module: bytesOfBase64(module), outputBytes: RESULT_BYTES, answer: null };
}

function show(ctx: Context, job: Job, all: readonly Found[]): void {
  for (const { way, size, us, found } of all) {
    ctx.row('times', {
      size,
      way: way.title,
      ...cellsOf(us),
      payload: payloadOf(way.id, job, size),
      client: statOf(found.map(({ cpu }) => cpu.client)).value,
      server: statOf(found.map(({ cpu }) => cpu.server)).value,
    });
    for (const { us: y } of found) ctx.point('time', { x: size, y, series: way.id });
  }
  const wrong = all.filter(({ found }) => found.some(({ right }) => !right));
  ctx.check(
    'answers',
    wrong.length === 0,
    wrong.length === 0
      ? `In ${all.length} settings the client ended up with ${job.one.answer ? 'the answer that JavaScript computes from the same data' : 'the same answer on each way'}.`
      : wrong.map(({ way, size }) => `${way.title}, ${formatBytes(size)}: another answer.`).join(' '),
  );
}

const of = (all: readonly Found[], way: WayId): Found[] => all.filter((one) => one.way.id === way);
const timesOf = (all: readonly Found[], way: WayId) =>
  of(all, way).map(({ size, us }) => ({ size, time: us.value }));

function evenText(found: BreakEven, smallest: number, largest: number): string {
  if ('at' in found) return `from about ${formatBytes(Math.round(found.at / KIB) * KIB)} on`;
  return found.never === 'always-less'
    ? `at every size from ${formatBytes(smallest)} on`
    : `at no size up to ${formatBytes(largest)}`;
}

/** Range of the break-even, by the options of the prediction. */
function rangeOf(found: BreakEven): string {
  if ('never' in found && found.never === 'always-more') return 'never';
  const at = 'at' in found ? found.at : 0;
  return at < 64 * KIB ? 'small' : at <= 1024 * KIB ? 'middle' : 'large';
}

function conclude(ctx: Context, all: readonly Found[]): void {
  const { largest } = ctx.params;
  const smallest = all[0]!.size;
  const texts: string[] = [];
  for (const way of ['ship', 'call'] as const) {
    const even = breakEven(timesOf(all, way), timesOf(all, 'read'));
    ctx.figure(`even-${way}`, 'at' in even ? even.at / KIB : null);
    texts.push(evenText(even, smallest, largest));
  }
  ctx.outcome('even', rangeOf(breakEven(timesOf(all, 'ship'), timesOf(all, 'read'))));
  for (const { id } of WAYS) {
    const stat = of(all, id).at(-1)!.us;
    ctx.figure(`large-${id}`, stat.value, stat);
    ctx.figure(`small-${id}`, of(all, id)[0]!.us.value, of(all, id)[0]!.us);
  }
  const [ship, read] = [of(all, 'ship').at(-1)!.us, of(all, 'read').at(-1)!.us];
  const verdict = compare(ship, read, 1);
  ctx.outcome('large', verdict === 'lower' ? 'ship' : verdict === 'higher' ? 'read' : 'unclear');
  ctx.answer(
    `Shipping the function takes less time than READing the data ${texts[0]!}, and calling a function that is there ${texts[1]!}. ` +
      `For ${formatBytes(largest)}: ${formatNumber(ship.value)} µs shipped, ${formatNumber(read.value)} µs with READ (${ratioText(ship, read, 1)}).`,
  );
}
