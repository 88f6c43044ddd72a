/** Tables, rankings and the answer, from measurements. */
import { median } from '@verbslab/protocol';
import { cellsOf } from '../form/common-results.js';
import { formatNumber, plural } from '../base/format.js';
import { statOf, type Stat } from '../base/sweep.js';
import { extreme } from '../base/verdict.js';
import { CANNOT } from './cannot.js';
import type { Counted } from './count.js';
import { JOBS, jobTitle, titleOf, VERBS, type JobId, type VerbId } from './jobs.js';
import type { Measured } from './measure.js';
import { passiveOf, type EndName, type Play } from './play.js';
import type { Context } from './stage.js';

/** A play with its counts and measurements. */
export interface Done {
  play: Play;
  counted: Counted;
  /** Medians of the repetitions, µs per job. */
  time: Stat;
  /** CPU time of the passive side per job, µs. */
  app: Stat;
  nic: Stat | null;
  right: boolean;
}

export function doneOf(play: Play, counted: Counted, measured: readonly Measured[]): Done {
  const nic = measured.map(({ cpu }) => cpu.nicNs);
  return {
    play,
    counted,
    time: statOf(measured.map(({ timesNs }) => median(timesNs) / 1000)),
    app: statOf(measured.map(({ cpu }) => cpu.appNs / 1000)),
    nic: nic.includes(null) ? null : statOf(nic.map((ns) => ns! / 1000)),
    right: measured.every(({ right }) => right),
  };
}

const rightsText = (play: Play, end: EndName): string => play.rights[end]?.join(', ') ?? 'none';

export function tellRows(ctx: Context, all: readonly Done[]): void {
  for (const { play, counted, time, app, nic } of all) {
    const passive = passiveOf(play);
    const name = { job: jobTitle(play.job), verb: titleOf(play.verb) };
    const wire = counted.wire ?? { packets: null, bytes: null, roundTrips: null };
    ctx.row('wire', {
      ...name,
      ...cellsOf(time),
      packets: wire.packets,
      bytes: wire.bytes,
      roundTrips: wire.roundTrips,
    });
    ctx.row('work', {
      ...name,
      initiator: `${play.initiator}: ${counted.posts[play.initiator]}`,
      passive: `${passive}: ${counted.posts[passive]}`,
      told: counted.told,
      app: app.value,
      nic: nic?.value ?? null,
      clientRights: rightsText(play, 'client'),
      serverRights: rightsText(play, 'server'),
    });
  }
}

const inOrder = (all: readonly Done[], job: JobId): Done[] =>
  all.filter(({ play }) => play.job === job).sort((a, b) => a.time.value - b.time.value);

/** The fastest verb, unless its range overlaps that of another one or the repetitions are too few. */
function fastestOf([first, ...others]: readonly Done[]): VerbId | 'tie' {
  if (others.length === 0) return first!.play.verb;
  const times = others.map(({ time }) => time);
  return extreme(first!.time, times, JOBS.length) === 'lower' ? first!.play.verb : 'tie';
}

function verdictOf(sorted: readonly Done[]): string {
  const fastest = fastestOf(sorted);
  const [first, second] = sorted.map(({ play }) => titleOf(play.verb));
  if (fastest === 'tie') return `no clear difference (lowest median: ${first})`;
  return second === undefined ? `${first}, the only one` : first!;
}

/** Answers with the jobs in which one verb was clearly the fastest. */
export function tellMatrix(ctx: Context, all: readonly Done[]): string {
  const clear = JOBS.flatMap(({ id, title, ask }) => {
    const cells = VERBS.map(({ id: verb }) => {
      const done = all.find(({ play }) => play.job === id && play.verb === verb);
      if (done) return [verb, `${formatNumber(done.time.value)} µs`];
      const cannot = CANNOT.find((one) => one.job === id && one.verb === verb);
      return [verb, cannot ? `no: ${cannot.short}` : 'no atomics here'];
    });
    const sorted = inOrder(all, id);
    const fastest = fastestOf(sorted);
    if (ask !== undefined) ctx.outcome(id, fastest);
    const verdict = verdictOf(sorted);
    ctx.row('matrix', {
      job: title,
      ...(Object.fromEntries(cells) as Record<VerbId, string>),
      fastest: verdict,
    });
    return fastest === 'tie' ? [] : [`${verdict} (${title[0]!.toLowerCase()}${title.slice(1)})`];
  });
  const unclear = JOBS.length - clear.length;
  return [
    ...(clear.length > 0 ? [`Fastest: ${clear.join('; ')}.`] : []),
    ...(unclear > 0 ? [`In ${plural(unclear, 'job')}, no verb was clearly the fastest.`] : []),
  ].join(' ');
}

export function tellFigures(ctx: Context, all: readonly Done[]): void {
  const find = (job: JobId, verb: VerbId): Done =>
    all.find(({ play }) => play.job === job && play.verb === verb)!;
  const right = all.filter((one) => one.right);
  const wrong = all.filter((one) => !one.right);
  ctx.figure('can', right.length);
  ctx.figure('impossible', CANNOT.length);
  ctx.check(
    'jobs',
    wrong.length === 0,
    wrong.length === 0
      ? `After ${plural(all.length, 'combination')}, all data and the counter were right.`
      : `Data or counter are wrong: ${wrong.map(({ play }) => `${jobTitle(play.job)}, ${titleOf(play.verb)}`).join('; ')}.`,
  );
  for (const [figure, job, verb] of [
    ['read-cpu', 'readers', 'read'],
    ['send-cpu', 'readers', 'send'],
  ] as const) {
    const { app } = find(job, verb);
    ctx.figure(figure, app.value, app);
  }
  for (const [figure, job, verb] of [
    ['request-trips', 'request', 'send'],
    ['pull-trips', 'told', 'read'],
  ] as const)
    ctx.figure(figure, find(job, verb).counted.wire?.roundTrips ?? null);
  ctx.figure('request-packets', find('request', 'send').counted.wire?.packets ?? null);
}
