import type { LabContext, Scenario, SimulationResult } from '@verbslab/protocol';
import { formatBytes, formatNumber } from '../base/format.js';
import { powersOfTwo } from '../base/sweep.js';
import { dataFrame } from '../fabric/frames.js';
import { between, goBack0, goBackN, limitOf, PATH, wasted } from './formula.js';
import type { LivelockParams } from './params.js';

type Context = LabContext<LivelockParams>;

const SMALLEST = 16 * 1024;
const RECOVERIES = ['go-back-0', 'go-back-n'] as const;
type Recovery = (typeof RECOVERIES)[number];
const NAMES: Readonly<Record<Recovery, string>> = { 'go-back-0': 'Go-back-0', 'go-back-n': 'Go-back-N' };

/** The simulation begins with an empty link and ends within a message: both cost less than this share. */
const TOLERANCE = 0.05;
/** So that each simulation has 100 samples. */
const SAMPLE_US_PER_MS = 10;
/** Share of the link that counts as full. */
const FULL = 0.95;

interface Point {
  size: number;
  recovery: Recovery;
  /** Gb/s that the formula gives. */
  formula: number;
  result: SimulationResult;
}

function scenarioOf({ every, mtu, duration }: LivelockParams, size: number, recovery: Recovery): Scenario {
  return {
    name: `${recovery}, ${size} B`,
    duration_us: duration * 1000,
    sample_us: duration * SAMPLE_US_PER_MS,
    topology: { kind: 'back-to-back' },
    link: { rate_gbps: PATH.gbps, delay_ns: PATH.delayNs, lose_every: every },
    host: { latency_ns: PATH.latencyNs },
    // So many messages in flight that small ones fill the link, too.
    transport: { recovery, mtu: Number(mtu), message_bytes: size, depth: 64 },
    traffic: [{ kind: 'flow', from: 0, to: 1 }],
  };
}

const share = ({ result: { goodput_gbps }, formula }: Point): number | null =>
  formula > 0 ? goodput_gbps / formula - 1 : null;

async function measure(ctx: Context): Promise<Point[]> {
  const { every, largest } = ctx.params;
  const mtu = Number(ctx.params.mtu);
  const sizes = powersOfTwo(largest, SMALLEST);
  const settings = sizes.flatMap((size) => RECOVERIES.map((recovery) => ({ size, recovery })));
  const points: Point[] = [];
  for (const [i, { size, recovery }] of settings.entries()) {
    const title = `${NAMES[recovery]}, ${formatBytes(size)}`;
    ctx.progress(i / settings.length, title);
    const { result } = await ctx.simulate(scenarioOf(ctx.params, size, recovery), { title });
    const formula = recovery === 'go-back-0' ? goBack0(mtu, every, size) : goBackN(mtu, every);
    const point = { size, recovery, formula, result };
    const residual = share(point);
    ctx.row('sizes', {
      size,
      recovery: NAMES[recovery],
      gbps: result.goodput_gbps,
      formula,
      residual: residual === null ? null : residual * 100,
      losses: result.drops['link loss'] ?? 0,
      again: result.retransmitted,
    });
    ctx.point('goodput', { x: size, y: result.goodput_gbps, series: recovery });
    ctx.point('goodput', { x: size, y: formula, series: `${recovery}-formula` });
    points.push(point);
  }
  return points;
}

export async function runLivelock(ctx: Context): Promise<void> {
  const { every } = ctx.params;
  const mtu = Number(ctx.params.mtu);
  const points = await measure(ctx);
  const of = (recovery: Recovery): Point[] => points.filter((one) => one.recovery === recovery);
  const zero = of('go-back-0');
  const last = zero.at(-1)!;
  const lastN = of('go-back-n').at(-1)!;
  const completed = zero.filter(({ result }) => result.goodput_gbps > 0).at(-1)?.size ?? null;
  const limit = limitOf(mtu, every);
  const sent = last.result.packets.data?.made ?? 0;
  const used = (sent * dataFrame(mtu) * 8) / (last.result.us * 1000 * PATH.gbps);
  const farthest = points
    .flatMap((one) => share(one) ?? [])
    .reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0);

  ctx.figure('zero', last.result.goodput_gbps);
  ctx.figure('back-n', lastN.result.goodput_gbps);
  ctx.figure('used', used * 100);
  ctx.figure('completed', completed);
  ctx.figure('limit', limit);
  ctx.figure('until-nak', wasted(mtu));
  ctx.figure('residual', farthest * 100);
  ctx.outcome('link', used >= FULL ? 'full' : 'idle');

  const beyond = zero.filter(({ size }) => size > limit);
  const through = beyond.filter(({ result }) => result.goodput_gbps > 0);
  if (beyond.length === 0)
    ctx.doesNotApply('stops', `All messages are shorter than the limit of ${formatBytes(limit)}.`);
  else
    ctx.check(
      'stops',
      through.length === 0,
      `${beyond.length} sizes are above the limit of ${formatBytes(limit)}; ${beyond.length - through.length} delivered nothing.`,
    );
  const losers = of('go-back-n').filter(
    ({ result }, i) => result.goodput_gbps < zero[i]!.result.goodput_gbps * (1 - TOLERANCE),
  );
  ctx.check(
    'recovers',
    losers.length === 0 && lastN.result.goodput_gbps > 0,
    `Go-back-N delivers ${formatNumber(lastN.result.goodput_gbps)} Gb/s of the largest messages, and is slower than go-back-0 at ${losers.length} sizes.`,
  );
  ctx.check(
    'formula',
    Math.abs(farthest) <= TOLERANCE,
    `${between(mtu, every)} of every ${every} packets count. The simulation differs from the formula by at most ${formatNumber(Math.abs(farthest) * 100)} %.`,
  );
  const message = formatBytes(last.size);
  ctx.answer(
    last.result.goodput_gbps === 0
      ? `Go-back-0 restarts a message of ${message} at its first packet before it is complete: the link is ${formatNumber(used * 100)} % full and delivers nothing. Go-back-N delivers ${formatNumber(lastN.result.goodput_gbps)} Gb/s.`
      : `Messages of ${message} still fit between two losses: go-back-0 delivers ${formatNumber(last.result.goodput_gbps)} Gb/s, go-back-N ${formatNumber(lastN.result.goodput_gbps)} Gb/s.`,
  );
}
