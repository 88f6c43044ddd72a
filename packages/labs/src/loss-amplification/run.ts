import { AppError, type LabContext } from '@verbslab/protocol';
import { heightOf } from '../form/common-results.js';
import { formatDigits, formatExact, plural } from '../base/format.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { seedOf } from '../loss/faulty.js';
import { startTap } from '../wire/tap.js';
import type { LossAmplificationParams } from './params.js';
import { transfer, type Transfer } from './transfer.js';

type Context = LabContext<LossAmplificationParams>;

/** 4.096 µs × 2^14: 67 ms. Times are not measured here, and no end may count as lost because it is slow. */
const ACK_TIMEOUT = 14;

interface Line {
  window: number;
  rounds: Transfer[];
}

export async function runLossAmplification(ctx: Context): Promise<void> {
  const { size, largest, loss, messages, repeat, seed, link } = ctx.params;
  const pair = await connectPair(ctx, {
    link,
    memory: size,
    sendDepth: largest,
    connect: { timeout: ACK_TIMEOUT },
  });
  for (const role of ['client', 'server'] as const)
    if (!(await startTap(ctx, role, false, { maxPackets: 65_536, mode: 'keep' })))
      throw AppError.from({
        code: 'MISSING_CAPABILITY',
        message: `The packets at the ${role} cannot be captured.`,
        cure: 'Use the embedded device at both ends.',
      });
  // The first transfer of a pair is slower than the others.
  await transfer(ctx, pair, largest, {}, 1);
  const nth = Math.ceil(messages / 2);
  const single = await lines(ctx, pair, repeat, 'one lost packet', () => ({
    rules: [{ action: 'drop', qpn: pair.server.qp.info.qpn, iter: nth, times: 1 }],
  }));
  const random = await lines(ctx, pair, repeat, `${loss} % loss`, (round) => ({
    rates: { drop: loss / 100, seed: seedOf(seed + round) },
  }));
  for (const { endpoint } of [pair.client, pair.server]) await endpoint.call('tap.stop', {});
  await closePair(pair);
  for (const line of single) showSingle(ctx, line);
  for (const line of random) showRandom(ctx, line);
  judge(ctx, [...single, ...random]);
  conclude(ctx, single.at(-1)!, random);
}

/** Transfers at each window. */
async function lines(
  ctx: Context,
  pair: Pair,
  repeat: number,
  what: string,
  faults: (round: number) => Parameters<typeof transfer>[3],
): Promise<Line[]> {
  const windows = powersOfTwo(ctx.params.largest);
  let taken = 0;
  const found = await sweep(
    ctx,
    windows,
    repeat,
    (window) => `${what}, ${window} in flight`,
    (window) => {
      const round = Math.floor(taken++ / windows.length);
      return transfer(ctx, pair, window, faults(round), 2 * taken);
    },
  );
  return windows.map((window, i) => ({ window, rounds: found[i]! }));
}

const of = ({ rounds }: Line, value: (one: Transfer) => number): Stat => statOf(rounds.map(value));
const amplification = ({ sent, needed }: Transfer): number => sent / needed;
const selectively = ({ needed, selective }: Transfer): number => (needed + selective) / needed;

/** All repetitions together, with the range of single ones. Each needs as many packets, so their mean is the ratio of the sums. */
function together(line: Line, ratio: (one: Transfer) => number): Stat {
  const all = line.rounds.map(ratio);
  return { ...statOf(all), value: all.reduce((sum, one) => sum + one, 0) / all.length };
}

function showSingle(ctx: Context, line: Line): void {
  const again = of(line, (one) => one.again);
  const selective = of(line, (one) => one.selective);
  ctx.row('single', {
    window: line.window,
    lost: of(line, ({ dropped }) => dropped).value,
    again: again.value,
    min: again.min,
    max: again.max,
    hadArrived: of(line, ({ hadArrived }) => hadArrived).value,
    selective: selective.value,
  });
  ctx.point('afterOne', {
    x: line.window,
    ...heightOf(again),
    series: 'measured',
  });
  ctx.point('afterOne', { x: line.window, y: selective.value, series: 'selective' });
}

function showRandom(ctx: Context, line: Line): void {
  const stat = together(line, amplification);
  const selective = together(line, selectively);
  const sum = (value: (one: Transfer) => number): number =>
    line.rounds.reduce((all, one) => all + value(one), 0);
  ctx.row('random', {
    window: line.window,
    needed: sum(({ needed }) => needed),
    lost: sum(({ dropped }) => dropped),
    sent: sum(({ sent }) => sent),
    again: sum(({ again }) => again),
    hadArrived: sum(({ hadArrived }) => hadArrived),
    selective: sum(({ selective: resent }) => resent),
    amplification: stat.value,
    selectively: selective.value,
  });
  ctx.point('amplified', { x: line.window, ...heightOf(stat), series: 'measured' });
  ctx.point('amplified', { x: line.window, y: selective.value, series: 'selective' });
}

function judge(ctx: Context, all: readonly Line[]): void {
  const rounds = all.flatMap((line) => line.rounds);
  const verdict = (id: string, wrong: number, right: string, what: string): void =>
    ctx.check(
      id,
      wrong === 0,
      wrong === 0 ? right : `${plural(wrong, 'transfer')} of ${rounds.length}: ${what}`,
    );
  const again = rounds.reduce((sum, one) => sum + one.again, 0);
  verdict(
    'counted',
    rounds.filter((one) => !one.whole || one.again !== one.counted).length,
    `${plural(again, 'packet')} retransmitted in ${plural(rounds.length, 'transfer')}, by the captures and by the counters.`,
    'the captures and the counters differ.',
  );
  const goBacks = rounds.reduce((sum, one) => sum + one.goBacks, 0);
  if (goBacks + again === 0)
    ctx.doesNotApply('bounded', 'No packet was lost, so the client never went back.');
  else
    verdict(
      'bounded',
      rounds.filter((one) => one.again > one.goBacks * one.room).length,
      `${plural(goBacks, 'go-back')} retransmitted ${plural(again, 'packet')}. In no transfer was that more than one window per go-back, on average.`,
      'the go-backs retransmitted more than one window each, on average.',
    );
  verdict(
    'arrived',
    rounds.filter(({ arrived, missing }) => !arrived || missing > 0).length,
    'Every packet arrived at least once, and the server’s memory held what the client wrote.',
    'something did not arrive.',
  );
}

function conclude(ctx: Context, single: Line, random: readonly Line[]): void {
  const { loss } = ctx.params;
  const last = random.at(-1)!;
  const again = of(single, (one) => one.again);
  const factor = together(last, amplification);
  ctx.figure('after-one', again.value, again);
  ctx.figure('amplification', factor.value, factor);
  ctx.figure('amplification-alone', together(random[0]!, amplification).value);
  ctx.figure('selective', together(last, selectively).value);
  const all = random.flatMap(({ rounds }) => rounds);
  const resent = all.reduce((sum, one) => sum + one.again, 0);
  const vain = all.reduce((sum, one) => sum + one.hadArrived, 0);
  const share = resent === 0 ? null : (vain / resent) * 100;
  ctx.figure('had-arrived', share);
  if (share !== null) ctx.outcome('arrived', share < 1 ? 'none' : share <= 50 ? 'some' : 'most');
  ctx.answer(
    `After one loss with ${single.window} in flight, the client retransmitted ${plural(again.value, 'packet')}. At ${formatExact(loss)} % loss the client sent ${formatDigits(factor.value, 4)}× the packets that it needed; retransmitting only lost packets would have taken ${formatDigits(together(last, selectively).value, 4)}×.`,
  );
}
