import { AppError, type EndpointLoopResult, type LabContext } from '@verbslab/protocol';
import { formatBytes, formatNumber, formatTime, plural } from '../base/format.js';
import { misfit } from '../load/distribution.js';
import { bandwidth } from '../load/loop.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { sweep } from '../base/sweep.js';
import { seedOf, withFaults, type Faulty } from '../loss/faulty.js';
import type { AveragesHideSpikesParams } from './params.js';
import { meanWithSpikes, summaryOf, type Summary } from '../load/latency-summary.js';

type Context = LabContext<AveragesHideSpikesParams>;

/** Both take turns, so that a slow moment of the machine hits both alike. */
const TURNS = 4;

type Turn = Faulty<EndpointLoopResult>;

interface Measured extends Summary {
  loops: EndpointLoopResult[];
  /** Packets that the device delayed. */
  delayed: number;
}

export async function runAveragesHideSpikes(ctx: Context): Promise<void> {
  const { size, link, every } = ctx.params;
  const pair = await connectPair(ctx, { link, memory: Math.max(4096, size), sendDepth: 1 });
  // The first messages of a pair are slower than the others.
  await bandwidth(pair, { size, txDepth: 1, cqMod: 1, iterations: 500 });
  let taken = 0;
  const turns = await sweep(ctx, [0, 1 / every], TURNS, settingOf, (probability) =>
    measure(ctx, pair, probability, Math.floor(taken++ / 2)),
  );
  await closePair(pair);
  const { delay } = ctx.params;
  const [calm, spiky] = [together(turns[0]!, delay), together(turns[1]!, delay)];
  show(ctx, 'calm', 'without spikes', calm);
  show(ctx, 'spiky', 'with spikes', spiky);
  // Behind a delayed packet of a longer WRITE come others, whose NAK ends the wait before the delay is over.
  const mtu = Math.min(pair.client.qp.info.mtu, pair.server.qp.info.mtu);
  judge(ctx, [calm, spiky], mtu);
  conclude(ctx, calm, spiky, mtu);
}

const settingOf = (probability: number): string => (probability === 0 ? 'without spikes' : 'with spikes');

/** `round`: from 0. */
function measure(ctx: Context, pair: Pair, probability: number, round: number): Promise<Turn> {
  const { size, messages, delay, seed } = ctx.params;
  const recordAs = ctx.source('client', {
    transport: 'rdma',
    role: 'client',
    what: 'loop',
    label: `WRITEs ${settingOf(probability)}, round ${round + 1}`,
    round: round + 1,
  });
  return withFaults(
    pair.client.endpoint,
    { rates: { delay: probability, delayUs: delay, seed: seedOf(seed + round) } },
    () =>
      bandwidth(pair, {
        ...{ size, recordAs, txDepth: 1, cqMod: 1 },
        iterations: Math.ceil(messages / TURNS),
      }),
  );
}

function together(turns: readonly Turn[], delay: number): Measured {
  const loops = turns.map(({ result }) => result);
  const summary = summaryOf(loops, delay);
  if (!summary)
    throw AppError.from({
      code: 'INTERNAL',
      message: 'The loop reported no latencies.',
      cure: 'Update the agent of the client.',
    });
  return { ...summary, loops, delayed: turns.reduce((sum, { did }) => sum + did.delayed, 0) };
}

function show(ctx: Context, series: 'calm' | 'spiky', text: string, measured: Measured): void {
  const { mean, us, percentiles, slots, cumulative, delayed } = measured;
  const { n, min, p50, p99, p999, max } = us;
  ctx.row('summaries', { what: text, n: n ?? null, delayed, min, mean, p50, p99, p999, max });
  for (const point of percentiles) ctx.point('percentiles', { ...point, series });
  for (const slot of slots) ctx.point('histogram', { ...slot, series });
  for (const step of cumulative) ctx.point('cumulative', { ...step, series });
}

function judge(ctx: Context, both: readonly Measured[], mtu: number): void {
  const { delay, size } = ctx.params;
  const wrong = both.flatMap(({ loops }) => loops.flatMap((loop) => misfit(loop) ?? []));
  ctx.check(
    'samples',
    wrong.length === 0,
    wrong.length === 0
      ? `${plural(
          both.reduce((sum, { us }) => sum + (us.n ?? 0), 0),
          'WRITE',
        )} are in the histograms, each once. Minimum, mean and maximum agree with what the loops recorded.`
      : `${wrong.join('. ')}.`,
  );
  const spiky = both.at(-1)!;
  const slow = spiky.atLeast(delay);
  if (size > mtu)
    return ctx.doesNotApply(
      'spikes',
      `A WRITE of ${formatBytes(size)} is longer than the path MTU of ${formatBytes(mtu)}. The packets behind a delayed one overtake it, and the NAK for the gap ends the wait early.`,
    );
  ctx.check(
    'spikes',
    spiky.delayed > 0 && slow >= spiky.delayed,
    `The device delayed ${plural(spiky.delayed, 'packet')} by ${formatTime(delay * 1000)}, and ${plural(slow, 'WRITE')} took at least that long.`,
  );
}

function conclude(ctx: Context, calm: Measured, spiky: Measured, mtu: number): void {
  const { delay, size } = ctx.params;
  const messages = spiky.us.n ?? 0;
  const n = { n: messages };
  ctx.figure('mean', spiky.mean, n);
  ctx.figure('p50', spiky.us.p50, n);
  ctx.figure('p99', spiky.us.p99, n);
  ctx.figure('p999', spiky.us.p999, n);
  ctx.figure('max', spiky.us.max, n);
  ctx.figure('mean-calm', calm.mean, n);
  ctx.figure('p99-calm', calm.us.p99, n);
  ctx.figure('p999-calm', calm.us.p999, n);
  ctx.figure('delayed', spiky.delayed);
  ctx.figure('mean-computed', size > mtu ? null : meanWithSpikes(calm.mean, spiky.delayed / messages, delay));
  const faster = messages - spiky.atLeast(spiky.mean);
  const share = (faster / messages) * 100;
  ctx.figure('below-mean', share);
  const { p99, p999 } = spiky.us;
  const shows = (us: number | null): boolean => us !== null && us >= delay;
  ctx.outcome('which', shows(spiky.us.p50) ? 'p50' : shows(p99) ? 'p99' : shows(p999) ? 'p999' : 'max');
  ctx.answer(
    `The mean is ${formatNumber(spiky.mean)} µs, but ${formatNumber(share)} % of the WRITEs were faster than that, and ${plural(spiky.atLeast(delay), 'WRITE')} of ${formatNumber(messages)} took at least ${formatTime(delay * 1000)}. p50 is ${formatNumber(spiky.us.p50 ?? NaN)} µs, p99.9 ${formatNumber(p999 ?? NaN)} µs.`,
  );
}
