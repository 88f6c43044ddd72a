/** Report on the lives of the WRITEs: a table of stages, and a check that they fit together. */
import { median, ranked, type LabContext } from '@verbslab/protocol';
import { formatCount, formatNumber, plural } from '../base/format.js';
import { lengths, type Life } from './lives.js';
import type { WriteStagesParams } from './params.js';
import { ALL, PARTS, PLAIN, WITHOUT_SERVER, type Moment, type Part, type Stage } from './stages.js';
import type { Traced } from './trace.js';

type Context = LabContext<WriteStagesParams>;

/** Program and device read the clock in different ways: some 10 ns apart, and more while a virtual machine is moved. */
const CLOCK_NS = 200;
const TYPICAL = 0.9;
const NO_STAMPS =
  'This device has no stamps, so nothing says when the ACK came and when the CQE was written.';

const us = (ns: number | null): number | null => (ns === null ? null : ns / 1000);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** A life whose moments are all known. */
export interface Whole {
  life: Life;
  parts: number[];
  total: number;
}

/** The lives without a hole, the shortest first. */
export function wholeLives(lives: readonly Life[], stages: readonly Stage[]): Whole[] {
  return lives
    .flatMap((life): Whole[] => {
      const parts = lengths(life, stages);
      return parts && life.got !== null && life.built !== null
        ? [{ life, parts, total: life.got - life.built }]
        : [];
    })
    .sort((a, b) => a.total - b.total);
}

/** Times between two moments, ns, where both are known. */
const between = (lives: readonly Life[], from: Moment, to: Moment): number[] =>
  lives.flatMap((life) => {
    const [begin, end] = [life[from], life[to]];
    return begin === null || end === null ? [] : [end - begin];
  });

/** The p50 of the table of stages, so that a figure and its stage agree. */
const middle = (lives: readonly Life[], from: Moment, to: Moment): number | null =>
  us(ranked(sorted(between(lives, from, to)), 0.5));

interface Shares {
  /** ns of a WRITE, the mean of those up to p90. */
  mean: number;
  /** Percent of that, of each part. */
  of: ReadonlyMap<Part, number>;
}

function tableOf(ctx: Context, whole: readonly Whole[], stages: readonly Stage[]): Shares {
  // A program that was preempted for milliseconds would decide the shares.
  const typical = whole.slice(0, Math.ceil(TYPICAL * whole.length));
  const everything = sum(typical.map(({ total }) => total));
  const shares = new Map<Part, number>();
  stages.forEach(({ title, part, here, nic }, i) => {
    const times = sorted(whole.map(({ parts }) => parts[i]!));
    const spent = sum(typical.map(({ parts }) => parts[i]!));
    const share = (100 * spent) / everything;
    shares.set(part, (shares.get(part) ?? 0) + share);
    ctx.row('stages', {
      number: i + 1,
      stage: title,
      part: stages === PLAIN && part === 'away' ? 'All of them' : PARTS[part],
      mean: us(spent / typical.length),
      median: us(ranked(times, 0.5)),
      p90: us(ranked(times, 0.9)),
      p99: us(ranked(times, 0.99)),
      n: times.length,
      share,
    });
    ctx.row('nic', { stage: title, here, nic });
  });
  return { mean: everything / typical.length, of: shares };
}

/** The longest time by which a stage ends before it begins, ns; 0 where none does. */
const backwards = ({ parts }: Whole): number => Math.max(0, -Math.min(...parts));

/** CQEs that the device wrote before the ACK came, or before the server sent it. */
function earlyCqes(whole: readonly Whole[], stages: readonly Stage[], clockNs: number): number {
  const witnesses = stages === ALL ? (['acked', 'answered'] as const) : (['acked'] as const);
  return whole.filter(({ life }) =>
    witnesses.some((at) => life[at] !== null && life.cqe !== null && life.cqe < life[at] - clockNs),
  ).length;
}

/** All times of no WRITE are known. */
function judgeNothing(ctx: Context, { lives, stages, dropped }: Traced): void {
  const why = `None of ${plural(lives.length, 'WRITE')} has all its times (${plural(dropped, 'stamp')} lost).`;
  for (const id of ['order', 'adds-up']) ctx.check(id, false, why);
  if (stages === PLAIN) ctx.doesNotApply('cqe-after-ack', NO_STAMPS);
  else ctx.check('cqe-after-ack', false, why);
}

function judge(ctx: Context, traced: Traced, whole: readonly Whole[], clockNs: number): void {
  const { lives, stages, repeated, dropped } = traced;
  if (whole.length === 0) return judgeNothing(ctx, traced);
  const worst = Math.max(0, ...whole.map(backwards));
  const late = whole.filter((one) => backwards(one) > clockNs).length;
  const again =
    repeated === 0 ? '' : ` ${plural(repeated, 'WRITE')} ${repeated === 1 ? 'was' : 'were'} sent again.`;
  ctx.check(
    'order',
    late <= repeated,
    worst <= clockNs
      ? `In all ${plural(whole.length, 'WRITE')}, no stage ended before it began${worst === 0 ? '' : ` by more than ${formatNumber(worst / 1000)} µs, within the accuracy of the clocks (${formatNumber(clockNs / 1000)} µs)`}.${again}`
      : `In ${plural(late, 'WRITE')} of ${whole.length}, a stage ended up to ${formatNumber(worst / 1000)} µs before it began.${again}`,
  );
  const apart = whole.filter(({ parts, total }) => sum(parts) !== total).length;
  const missing = lives.length - whole.length;
  ctx.check(
    'adds-up',
    apart + missing === 0,
    apart + missing === 0
      ? `In each of ${plural(whole.length, 'WRITE')}, the ${stages.length} stages add up to its whole time, to the nanosecond.`
      : `A time is missing in ${plural(missing, 'WRITE')} (${plural(dropped, 'stamp')} lost), and the stages of ${apart} do not add up.`,
  );
  if (stages === PLAIN) return ctx.doesNotApply('cqe-after-ack', NO_STAMPS);
  const early = earlyCqes(whole, stages, clockNs);
  ctx.check(
    'cqe-after-ack',
    early === 0,
    early === 0
      ? stages === ALL
        ? `The capture at the server shows that each of ${plural(whole.length, 'ACK')} left before the client’s device wrote the CQE.`
        : `No CQE of ${formatCount(whole.length)} was written before the ACK came, by the client’s device.`
      : `${plural(early, 'CQE')} of ${whole.length} came before the ACK.`,
  );
  ctx.outcome('cqe', early === 0 ? 'ack' : 'sent');
}

/** Joins the stages between the hosts if the clocks of the hosts cannot tell them apart. */
function resolved(ctx: Context, traced: Traced, clockErrorNs: number): Traced {
  const { lives, stages } = traced;
  const ways = [between(lives, 'lastTx', 'arrived'), between(lives, 'answered', 'acked')];
  if (
    stages !== ALL ||
    clockErrorNs === 0 ||
    ways.every((way) => way.length === 0 || median(way) > clockErrorNs)
  )
    return traced;
  ctx.note(
    `The clocks of the two hosts agree to within ${formatNumber(clockErrorNs / 1000)} µs. A packet takes less from one host to the other, so what is between them is shown as one stage.`,
  );
  return { ...traced, stages: WITHOUT_SERVER };
}

/** `clockErrorNs`: between the two ends. */
export function report(ctx: Context, all: Traced, clockErrorNs: number): void {
  const traced = resolved(ctx, all, clockErrorNs);
  const { lives, stages } = traced;
  const whole = wholeLives(lives, stages);
  const totals = whole.map(({ total }) => total);
  if (whole.length > 0) {
    const shares = tableOf(ctx, whole, stages);
    const range = { min: totals[0]! / 1000, max: totals.at(-1)! / 1000, n: whole.length };
    ctx.figure('whole', us(ranked(totals, 0.5)), range);
    figuresOf(ctx, traced, whole, shares, CLOCK_NS + clockErrorNs);
  }
  ctx.figure('whole-p90', us(ranked(totals, TYPICAL)), { n: whole.length });
  ctx.figure('clock-error', clockErrorNs / 1000);
  judge(ctx, traced, whole, CLOCK_NS + clockErrorNs);
}

function figuresOf(
  ctx: Context,
  { stages }: Traced,
  whole: readonly Whole[],
  { mean, of: shares }: Shares,
  clockNs: number,
): void {
  const n = { n: whole.length };
  const lives = whole.map(({ life }) => life);
  ctx.figure('call', middle(lives, 'called', 'returned'), n);
  ctx.figure('round', middle(lives, 'posted', 'acked'), n);
  ctx.figure('waiting', middle(lives, 'cqe', 'polled'), n);
  const stamped = stages !== PLAIN;
  const inCall = (at: 'firstTx' | 'acked'): number | null =>
    stamped ? lives.filter((life) => life[at]! < life.returned!).length : null;
  ctx.figure('sent-in-call', inCall('firstTx'), n);
  ctx.figure('acked-in-call', inCall('acked'), n);
  ctx.figure('mean', mean / 1000, n);
  const share = (...parts: Part[]): number => sum(parts.map((part) => shares.get(part) ?? 0));
  const known = {
    program: share('program'),
    library: share('library'),
    device: share('device'),
    away: share('wire', 'server', 'away'),
  };
  for (const [part, value] of Object.entries(known)) ctx.figure(`${part}-share`, stamped ? value : null);
  if (!stamped) {
    ctx.answer(
      `A WRITE took ${formatNumber(mean / 1000)} µs on average until its completion was polled. This device has no stamps, so the stages in between are not known.`,
    );
    return;
  }
  const early = earlyCqes(whole, stages, clockNs);
  const [longest] = Object.entries(known).sort(([, a], [, b]) => b - a)[0]!;
  ctx.outcome('longest', longest);
  const percent = (part: keyof typeof known): string => `${formatNumber(known[part])} %`;
  ctx.answer(
    `A WRITE took ${formatNumber(mean / 1000)} µs on average: ${percent('program')} in the program, ${percent('library')} in the library, ${percent('device')} in the client’s device, ${percent('away')} on the wire and in the server’s device. ${early === 0 ? 'No CQE came before its ACK.' : `${plural(early, 'CQE')} of ${whole.length} came before the ACK.`}`,
  );
}
