import type { LabContext, Simulated } from '@verbslab/protocol';
import { formatBytes, formatNumber, plural } from '../base/format.js';
import { dropsOf } from '../fabric/samples.js';
import type { AmplificationLoopParams } from './params.js';
import {
  DURATION_US,
  incast,
  loop,
  partOf,
  receivedOf,
  roomFor,
  SAMPLE_US,
  SPIKE_AT_US,
  windowFor,
  WINDOWS,
} from './scenarios.js';

type Context = LabContext<AmplificationLoopParams>;

/** All windows over the room of buffer and links. Close to 1 a few packets decide. */
const PARTS = [0.5, 0.75, 0.95, 1.05, 1.25, 1.5, 2];
const MTU = 4096;
/** The last part of a simulation, by which it is judged. */
const END_US = 2000;
/** Sent / needed above which a network is stuck, and below which it is calm. */
const STUCK = 1.1;
const CALM = 1.02;

interface Part {
  part: number;
  window: number;
  drops: number;
  sent: number;
}

interface Loop {
  window: number;
  disturbed: boolean;
  sent: number;
  sentAtEnd: number;
  gbps: number;
  backlog: number;
  run: Simulated;
}

/** Packets sent over those that were new. */
const ratio = (sent: number, again: number): number => sent / Math.max(1, sent - again);

async function measureWindows(ctx: Context): Promise<{ parts: Part[]; threshold: number }> {
  const { senders, seed } = ctx.params;
  const parts: Part[] = [];
  let threshold = NaN;
  let rttUs = 0;
  for (const part of [...PARTS.slice(0, 1), ...PARTS]) {
    // The first run only tells the round trip.
    const window = windowFor(part, senders, rttUs);
    const run = await ctx.simulate(incast(senders, window, seed), {
      title: `One receiver, windows of ${formatBytes(window)}`,
    });
    const { result, scenario } = run;
    if (rttUs === 0) {
      rttUs = scenario.rtt_us;
      threshold = roomFor(rttUs) / senders;
      continue;
    }
    const one: Part = {
      part: partOf(window, senders, rttUs),
      window,
      drops: dropsOf(run.result),
      sent: ratio(result.packets.data?.made ?? 0, result.retransmitted),
    };
    ctx.row('windows', { ...one, again: result.retransmitted, gbps: result.goodput_gbps });
    ctx.point('by-window', { x: one.part, y: one.sent, series: 'measured' });
    if (one.part <= 1) ctx.point('by-window', { x: one.part, y: 1, series: 'expected' });
    parts.push(one);
  }
  return { parts, threshold };
}

/** Packets that all hosts received in an interval, and how many of them were sent again. */
function shares(run: Simulated): { us: number; gbps: number; again: number }[] {
  const hosts = run.scenario.hosts;
  return run.samples.map((sample) => {
    const gbps = receivedOf(sample);
    const packets = (gbps * hosts * SAMPLE_US * 1000) / (8 * MTU);
    return { us: sample.us, gbps, again: packets > 0 ? Math.min(1, sample.retransmitted / packets) : 0 };
  });
}

async function measureLoop(ctx: Context, window: number, disturbed: boolean): Promise<Loop> {
  const { load, buffer, spike, seed } = ctx.params;
  const run = await ctx.simulate(
    loop({ window, load: load / 100, buffer, spike: disturbed ? spike : 0, seed }),
    { title: `${disturbed ? 'Disturbed' : 'Undisturbed'}, windows of ${formatBytes(window)}` },
  );
  const { result, scenario } = run;
  const end = shares(run).filter(({ us }) => us > DURATION_US - END_US);
  const mean = end.reduce((sum, one) => sum + one.again, 0) / end.length;
  const one: Loop = {
    window,
    disturbed,
    sent: ratio(result.packets.data?.made ?? 0, result.retransmitted),
    sentAtEnd: 1 / (1 - Math.min(mean, 0.99)),
    gbps: result.goodput_gbps / scenario.hosts,
    backlog: result.flows_unfinished,
    run,
  };
  ctx.row('loops', {
    window,
    disturbed: disturbed ? 'Yes' : 'No',
    gbps: one.gbps,
    drops: dropsOf(run.result),
    timeouts: result.timeouts,
    sent: one.sentAtEnd,
    backlog: one.backlog,
  });
  return one;
}

function draw(ctx: Context, { run }: Loop, series: string): void {
  for (const { us, gbps, again } of shares(run)) {
    ctx.point('received', { x: us / 1000, y: gbps, series });
    ctx.point('again', { x: us / 1000, y: again * 100, series });
  }
}

/** ms from the end of the disturbance to the last packet that was sent again; null if that goes on to the end. */
function healedAfter({ run }: Loop, spikeMs: number): number | null {
  const last = run.samples.filter(({ retransmitted }) => retransmitted > 0).at(-1)?.us ?? 0;
  return last > DURATION_US - END_US ? null : Math.max(0, (last - SPIKE_AT_US) / 1000 - spikeMs);
}

export async function runAmplificationLoop(ctx: Context): Promise<void> {
  ctx.progress(0, 'One receiver');
  const { parts, threshold } = await measureWindows(ctx);
  const loops: Loop[] = [];
  for (const [i, window] of WINDOWS.entries())
    for (const disturbed of [false, true]) {
      ctx.progress(
        (2 * i + (disturbed ? 1 : 0) + 1) / (2 * WINDOWS.length + 1),
        `Windows of ${formatBytes(window)}`,
      );
      loops.push(await measureLoop(ctx, window, disturbed));
    }
  conclude(ctx, parts, threshold, loops);
}

function conclude(ctx: Context, parts: readonly Part[], threshold: number, loops: readonly Loop[]): void {
  const { spike } = ctx.params;
  const of = (window: number, disturbed: boolean): Loop =>
    loops.find((one) => one.window === window && one.disturbed === disturbed)!;
  const [small, middle, large] = WINDOWS as [number, number, number];
  const [calm, stuck] = [of(middle, false), of(middle, true)];
  draw(ctx, calm, 'calm');
  draw(ctx, of(small, true), 'small');
  draw(ctx, stuck, 'middle');
  const healed = healedAfter(of(small, true), spike);
  ctx.figure('stuck', stuck.sentAtEnd);
  ctx.figure('calm', calm.sentAtEnd);
  ctx.figure('goodput', stuck.gbps);
  ctx.figure('goodput-calm', calm.gbps);
  ctx.figure('backlog', stuck.backlog);
  ctx.figure('backlog-calm', calm.backlog);
  ctx.figure('healed', healed);
  ctx.figure('own', of(large, false).sent);
  ctx.figure('threshold', threshold);
  ctx.figure('above', parts.at(-1)!.sent);
  ctx.outcome('after', stuck.sentAtEnd >= STUCK ? 'stays' : stuck.sentAtEnd > CALM ? 'slowly' : 'heals');

  const wrong = parts.filter(({ part, drops }) => drops > 0 !== part > 1);
  ctx.check(
    'threshold',
    wrong.length === 0,
    wrong.length === 0
      ? `Packets were dropped exactly where all windows exceed the room, ${formatBytes(Math.round(threshold))} per sender.`
      : `The limit fails at ${plural(wrong.length, 'window')}.`,
  );
  const whole = loops.filter(({ run: { result } }) => result.flows_failed > 0).length;
  ctx.check(
    'alive',
    whole === 0,
    whole === 0
      ? 'No connection failed in any setting.'
      : `Connections failed in ${plural(whole, 'setting')}.`,
  );
  const wasted = loops.filter(({ run }) => run.result.retransmitted < dropsOf(run.result));
  ctx.check(
    'multiplied',
    wasted.length === 0,
    `In the stuck network, ${plural(dropsOf(stuck.run.result), 'drop')} made the hosts send ${plural(stuck.run.result.retransmitted, 'packet')} again.`,
  );
  ctx.answer(
    stuck.sentAtEnd >= STUCK
      ? `A disturbance of ${formatNumber(spike)} ms left the network stuck: long after, it sent ${formatNumber(stuck.sentAtEnd)} packets per packet needed, and ${plural(stuck.backlog, 'flow')} waited. With windows of half the size it healed.`
      : `The network healed after a disturbance of ${formatNumber(spike)} ms: at the end it sent ${formatNumber(stuck.sentAtEnd)} packets per packet needed.`,
  );
}
