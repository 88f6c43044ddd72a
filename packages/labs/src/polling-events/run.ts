import { LatencyHistogram, median, type WaitWay } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { statOf, sweep, type Stat } from '../base/sweep.js';
import { tooBusy } from '../endpoints/too-busy.js';
import { compare, ratioText } from '../base/verdict.js';
import type { Context } from './endpoints.js';
import { measure, type Measured } from './measure.js';
import { fallIntoTraps } from './traps.js';
import { lossOf, misfitOf, neverSlept } from './verdict.js';
import { WAYS } from './ways.js';

/** Verdicts that the page states. */
const VERDICTS = 2;

interface Found {
  id: WaitWay;
  title: string;
  measured: Measured[];
  /** Medians of the repetitions, µs. */
  time: Stat;
  /** CPU time of the server per message, µs. */
  cpu: Stat;
}

export async function runPollingEvents(ctx: Context): Promise<void> {
  await fallIntoTraps(ctx);
  const rounds = await sweep(
    ctx,
    WAYS,
    ctx.params.repeat,
    ({ title }) => title,
    ({ id }) => measure(ctx, id),
  );
  ctx.draining();
  const found = WAYS.map((way, i): Found => {
    const measured = rounds[i]!;
    return {
      ...way,
      measured,
      time: statOf(measured.map(({ roundTripsNs }) => median(roundTripsNs) / 1000)),
      cpu: statOf(measured.map(({ cpuNs }) => cpuNs / 1000)),
    };
  });
  for (const one of found) show(ctx, one);
  check(ctx, found);
  report(ctx, found);
}

const sum = (measured: readonly Measured[], of: (one: Measured) => number): number =>
  measured.reduce((total, one) => total + of(one), 0);

function show(ctx: Context, { id, title, measured, time, cpu }: Found): void {
  const all = new LatencyHistogram();
  for (const { roundTripsNs } of measured) for (const ns of roundTripsNs) all.record(ns);
  const us = all.us();
  ctx.row('ways', {
    way: title,
    median: time.value,
    lowest: time.min,
    highest: time.max,
    p99: us?.p99 ?? null,
    n: all.count,
    cpu: cpu.value,
    share:
      (100 * sum(measured, ({ cpuNs }) => cpuNs * ctx.params.messages)) /
      sum(measured, ({ elapsedNs }) => elapsedNs),
  });
  ctx.row('counts', {
    way: title,
    messages: sum(measured, ({ counted }) => counted.messages),
    arms: sum(measured, ({ counted }) => counted.arms),
    rechecks: sum(measured, ({ counted }) => counted.rechecks),
    sleeps: sum(measured, ({ counted }) => counted.sleeps),
    events: sum(measured, ({ counted }) => counted.events),
  });
  ctx.figure(`${id}-time`, time.value, time);
  ctx.figure(`${id}-cpu`, cpu.value, cpu);
}

function check(ctx: Context, found: readonly Found[]): void {
  const faults = (of: (one: Measured, way: WaitWay) => string | null): string[] =>
    found.flatMap(({ id, title, measured }) =>
      measured.flatMap((one, i) => {
        const fault = of(one, id);
        return fault === null ? [] : [`${title}, repetition ${i + 1}: ${fault}.`];
      }),
    );
  const verdict = (id: string, wrong: readonly string[], right: string): void =>
    ctx.check(id, wrong.length === 0, wrong.length === 0 ? right : wrong.join(' '));
  const messages = found.reduce(
    (total, { measured }) => total + sum(measured, (one) => one.counted.messages),
    0,
  );
  verdict(
    'whole',
    faults(({ counted }) => lossOf(counted)),
    `${plural(messages, 'message')} came in order, and each was answered once.`,
  );
  const misfits = faults(({ counted }, way) => misfitOf(way, counted));
  const awake = faults(({ counted }, way) =>
    neverSlept(way, counted) ? 'each message was there before the server could sleep' : null,
  );
  if (misfits.length === 0 && awake.length > 0) return ctx.doesNotApply('events', tooBusy(awake.join(' ')));
  verdict(
    'events',
    misfits,
    'Polling raised no event. An event ended each sleep, and no CQ raised more events than the number of times it was armed.',
  );
}

function report(ctx: Context, found: readonly Found[]): void {
  const of = (id: WaitWay): Found => found.find((one) => one.id === id)!;
  const [poll, event, adaptive] = [of('poll'), of('event'), of('adaptive')];
  const cpu = compare(event.cpu, poll.cpu, VERDICTS);
  ctx.outcome('cpu', cpu === 'lower' ? 'less' : cpu === 'higher' ? 'more' : 'same');
  const slept = sum(adaptive.measured, ({ counted }) => counted.sleeps);
  const part = slept / sum(adaptive.measured, ({ counted }) => counted.messages);
  ctx.outcome('adaptive', part > 0.9 ? 'sleeps' : part < 0.1 ? 'polls' : 'both');
  ctx.answer(
    `${ctx.params.gap === 0 ? 'Without gaps' : `With gaps of ${formatNumber(ctx.params.gap)} µs`}, a polling server answered after ${formatNumber(poll.time.value)} µs and used ${formatNumber(poll.cpu.value)} µs of CPU time per message. ` +
      `Sleeping until an event: ${formatNumber(event.time.value)} µs (${ratioText(event.time, poll.time, VERDICTS)}) and ${formatNumber(event.cpu.value)} µs of CPU time (${ratioText(event.cpu, poll.cpu, VERDICTS)}). ` +
      `With a budget of ${formatNumber(ctx.params.budget)} µs: ${formatNumber(adaptive.time.value)} µs and ${formatNumber(adaptive.cpu.value)} µs of CPU time, with ${plural(slept, 'sleep')}.`,
  );
}
