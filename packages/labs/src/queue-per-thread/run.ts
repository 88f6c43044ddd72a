import type { LabContext } from '@verbslab/protocol';
import { formatCount, formatNumber, plural } from '../base/format.js';
import { cpuPerMessage, messageRate } from '../load/loop.js';
import { WARM_UP_MS } from '../form/common-params.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { tooBusy } from '../endpoints/too-busy.js';
import { compare, ratioText } from '../base/verdict.js';
import { countTransfers, settingText } from './count.js';
import type { QueuePerThreadParams } from './params.js';
import {
  closeQueues,
  openQueues,
  threadsLoop,
  type Owner,
  type Setting,
  type ThreadsLoop,
} from './queues.js';
import { heldNs, messagesOf, notExclusive, notOwn, timesContended, waitingPart } from './verdict.js';

/** Verdicts that the page states. */
const VERDICTS = 2;

type Context = LabContext<QueuePerThreadParams>;

interface Measured {
  setting: Setting;
  loops: ThreadsLoop[];
  /** Thousand messages per second. */
  rate: Stat;
  /** CPU time of the client per message, ns. */
  cpu: Stat;
  /** Time that threads wait for the lock, per message, ns. */
  wait: Stat;
  /** Time of one ibv_post_send, ns. */
  post: Stat;
}

const OWNERS: readonly Owner[] = ['own', 'shared'];

export async function runQueuePerThread(ctx: Context): Promise<void> {
  const { threads, duration, repeat } = ctx.params;
  const settings = powersOfTwo(threads).flatMap((count) =>
    OWNERS.map((owner): Setting => ({ owner, threads: count })),
  );
  const queues = await openQueues(ctx);
  await countTransfers(ctx, queues, settings);
  const rounds = await sweep(ctx, settings, repeat, settingText, (setting) =>
    threadsLoop(ctx, queues, setting, { durationMs: duration, omitMs: WARM_UP_MS }),
  );
  await closeQueues(queues);
  const measured = settings.map((setting, i) => measuredOf(setting, rounds[i]!));
  for (const one of measured) show(ctx, one);
  const find = (owner: Owner, count: number): Measured =>
    measured.find(({ setting }) => setting.owner === owner && setting.threads === count)!;
  check(ctx, measured, find('shared', 1), find('shared', threads));
  report(ctx, find('own', 1), find('own', threads), find('shared', threads));
}

function measuredOf(setting: Setting, loops: ThreadsLoop[]): Measured {
  // On a busy machine a loop may end before a message has.
  const each = (value: (loop: ThreadsLoop) => number): Stat =>
    statOf(loops.map(value).filter(Number.isFinite));
  return {
    setting,
    loops,
    rate: each((loop) => messageRate(loop) / 1000),
    cpu: each(cpuPerMessage),
    wait: each(({ threads }) => threads.waitNs / messagesOf(threads)),
    post: each(({ threads }) => threads.postNs / threads.posts),
  };
}

function show(ctx: Context, { setting, rate, cpu, wait, post }: Measured): void {
  const { owner: series, threads } = setting;
  const point = ({ value, min, max }: Stat) => ({ x: threads, y: value, min, max, series });
  ctx.point('rate', point(rate));
  ctx.point('cpu', point(cpu));
  ctx.point('post', point(post));
  ctx.row('settings', {
    queues: series === 'own' ? 'own' : 'shared, with a lock',
    threads,
    rate: rate.value,
    cpu: cpu.value,
    post: post.value,
    wait: series === 'own' ? null : wait.value,
  });
}

function check(ctx: Context, measured: readonly Measured[], alone: Measured, all: Measured): void {
  const faults = (owner: Owner, why: (loop: ThreadsLoop) => string | null): string[] =>
    measured
      .filter(({ setting }) => setting.owner === owner)
      .flatMap(({ setting, loops }) =>
        loops.flatMap((loop) => {
          const fault = why(loop);
          return fault === null ? [] : [`${settingText(setting)}: ${fault}`];
        }),
      );
  const shared = faults('own', ({ threads }) => notOwn(threads));
  const completions = measured
    .filter(({ setting }) => setting.owner === 'own')
    .flatMap(({ loops }) => loops)
    .reduce((sum, { whole }) => sum + (whole?.completions ?? 0), 0);
  if (completions === 0) ctx.doesNotApply('own', tooBusy('No completion came in the measured time.'));
  else
    ctx.check(
      'own',
      shared.length === 0,
      shared.length === 0
        ? `Completions: ${formatCount(completions)}. Each came to the thread that had posted its request.`
        : `${shared.join('; ')}.`,
    );
  const together = faults('shared', ({ threads }) => notExclusive(threads));
  ctx.check(
    'exclusive',
    together.length === 0,
    together.length === 0
      ? 'In every repetition, the threads together held the lock no longer than the transfer took.'
      : `More than one thread held the lock at a time. ${together.join('; ')}.`,
  );
  checkContention(ctx, alone, all);
}

function checkContention(ctx: Context, alone: Measured, all: Measured): void {
  const times = ({ loops }: Measured): number => timesContended(loops.map(({ threads }) => threads));
  const many = plural(all.setting.threads, 'thread');
  if (times(alone) > 0)
    ctx.check('contended', false, `A single thread found the lock taken ${plural(times(alone), 'time')}.`);
  else if (times(all) === 0) ctx.doesNotApply('contended', tooBusy(`${many} never competed for the lock.`));
  else
    ctx.check(
      'contended',
      true,
      `A single thread never found the lock taken. ${many} did ${plural(times(all), 'time')}.`,
    );
}

function report(ctx: Context, one: Measured, own: Measured, shared: Measured): void {
  const { threads: count } = own.setting;
  const inThreads = (value: (loop: ThreadsLoop) => number): Stat => statOf(shared.loops.map(value));
  const waiting = inThreads(({ threads }) => 100 * waitingPart(threads));
  const held = inThreads(({ threads }) => (100 * heldNs(threads)) / threads.elapsedNs);
  const foreign = inThreads(({ threads, whole }) => (100 * threads.foreign) / (whole?.completions ?? NaN));
  const { cpus } = own.loops[0]!.threads;
  const set = (name: string, stat: Stat): void => ctx.figure(name, stat.value, stat);
  set('one', one.rate);
  set('own', own.rate);
  set('shared', shared.rate);
  set('own-cpu', own.cpu);
  set('shared-cpu', shared.cpu);
  set('one-post', one.post);
  set('own-post', own.post);
  set('wait', shared.wait);
  set('waiting', waiting);
  set('held', held);
  set('foreign', foreign);
  ctx.figure('cpus', cpus || null);
  const faster = compare(own.rate, shared.rate, VERDICTS);
  ctx.outcome('faster', faster === 'higher' ? 'own' : faster === 'lower' ? 'shared' : 'same');
  const scale = compare(own.rate, one.rate, VERDICTS);
  ctx.outcome('scale', scale === 'higher' ? 'more' : scale === 'lower' ? 'fewer' : 'same');
  if (cpus > 0 && cpus <= count)
    ctx.note(
      `${plural(count, 'thread')} of the client shared ${plural(cpus, 'CPU')}, and a server on the same host needs one too. If threads took turns, rates show mainly how the scheduler divides the time.`,
    );
  ctx.answer(
    `${plural(count, 'thread')} sent ${formatNumber(own.rate.value)} thousand messages per second with own queues, and ${formatNumber(shared.rate.value)} thousand with shared queues and a lock (${ratioText(own.rate, shared.rate, VERDICTS)}). ` +
      `One thread alone sent ${formatNumber(one.rate.value)} thousand (own queues beside it: ${ratioText(own.rate, one.rate, VERDICTS)}).`,
  );
}
