import { heightOf } from '../form/common-results.js';
import { closeAll } from '../endpoints/scope.js';
import { formatBytes, formatNumber, formatTime, plural } from '../base/format.js';
import { fasterCell } from '../base/verdict.js';
import { statOf, scaled } from '../base/sweep.js';
import { judgeByHand, transferByHand } from './by-hand.js';
import { CONTROL_BYTES } from './control.js';
import { crossoverOf, formulaRange, formulaText, orderOf, tripDisturbed, verdictsText } from './crossover.js';
import { CONTROL_RECVS, openEnds, postFirstRecvs, type Context } from './endpoints.js';
import { arrivals, measure, measureCpu, type Measured, type WayCpu } from './measure.js';
import { sizesOf } from './params.js';
import { trySendTooLong } from './too-long.js';
import { WAYS, type Way } from './ways.js';

const US = 1e-3;
/** Bytes of the transfers by hand. */
const BY_HAND = 64 * 1024;

export async function runRendezvous(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  await postFirstRecvs(ctx, ends);
  judgeByHand(ctx, await transferByHand(ctx, ends, BY_HAND), BY_HAND);
  await trySendTooLong(ctx, ends);
  const measured = await measure(ctx, ends);
  const cpu = await measureCpu(ctx, ends);
  const arrived = await arrivals(ctx, ends);
  ctx.draining();
  await closeAll(ends.sender, ends.receiver);
  const missing = arrived.filter((one) => !one.arrived).map(({ way }) => way.title);
  ctx.check(
    'bytes',
    missing.length === 0,
    missing.length === 0
      ? `All bytes of a message of ${formatBytes(ctx.params.largest)} arrived in each of ${plural(arrived.length, 'way')}.`
      : `Bytes are missing or wrong: ${missing.join(', ')}.`,
  );
  showTimes(ctx, measured);
  showWays(ctx, cpu);
  conclude(ctx, measured);
}

const timesOf = ({ times }: Measured, id: Way['id'], size: number): Measured['times'][number] =>
  times.find((one) => one.way.id === id && one.size === size)!;

const timeOf = (measured: Measured, id: Way['id'], size: number): Measured['times'][number]['stat'] =>
  timesOf(measured, id, size).stat;

const roundsOf = (measured: Measured, id: Way['id'], size: number): readonly number[] =>
  timesOf(measured, id, size).rounds;

const copyOf = ({ copies }: Measured, size: number): Measured['copies'][number]['stat'] =>
  copies.find((one) => one.size === size)!.stat;

/** Verdicts of the page: WRITE and READ beside eager at each size. */
const verdictsOf = (ctx: Context): number => 2 * sizesOf(ctx.params).length;

function showTimes(ctx: Context, measured: Measured): void {
  const among = verdictsOf(ctx);
  for (const size of sizesOf(ctx.params)) {
    const copies = copyOf(measured, size);
    ctx.row('sizes', {
      size,
      ...Object.fromEntries(WAYS.map(({ id }) => [id, timeOf(measured, id, size).value * US])),
      copies: copies.value * US,
      rate: size / copies.value,
      'order-write': fasterCell(
        roundsOf(measured, 'write', size),
        roundsOf(measured, 'eager', size),
        among,
        'WRITE',
        'eager',
      ),
      'order-read': fasterCell(
        roundsOf(measured, 'read', size),
        roundsOf(measured, 'eager', size),
        among,
        'READ',
        'eager',
      ),
    });
    for (const { id } of WAYS) {
      const { value, min, max } = timeOf(measured, id, size);
      ctx.point('times', { x: size, y: value * US, min: min * US, max: max * US, series: id });
    }
    ctx.point('parts', {
      x: size,
      ...heightOf(scaled(copies, US)),
      series: 'copies',
    });
    const { value, min, max } = measured.roundTrip;
    ctx.point('parts', { x: size, y: value * US, min: min * US, max: max * US, series: 'trip' });
  }
}

const heldOf = ({ largest }: Context['params'], { id }: Way): number =>
  id === 'eager' ? largest : CONTROL_RECVS * CONTROL_BYTES;

function showWays(ctx: Context, cpu: readonly WayCpu[]): void {
  for (const { way, sender, receiver } of cpu)
    ctx.row('ways', {
      way: way.title,
      data: way.data,
      before: way.before,
      messages: way.messages,
      held: heldOf(ctx.params, way),
      sender: sender.appNs * US,
      receiver: receiver.appNs * US,
      nic: sender.nicNs === null || receiver.nicNs === null ? null : (sender.nicNs + receiver.nicNs) * US,
    });
  ctx.figure('held-eager', heldOf(ctx.params, WAYS[0]));
  ctx.figure('held-rendezvous', heldOf(ctx.params, WAYS[1]));
}

function conclude(ctx: Context, measured: Measured): void {
  const { largest } = ctx.params;
  const copies = copyOf(measured, largest);
  const { roundTrip } = measured;
  const rate = largest / copies.value;
  ctx.figure('round-trip', roundTrip.value * US, scaled(roundTrip, US));
  ctx.figure('copy-rate', rate, { min: largest / copies.max, max: largest / copies.min, n: copies.n });
  const formula = formulaRange(roundTrip, copies, largest);
  ctx.figure('formula', formula.value, { ...formula, n: roundTrip.n });
  const crossings = (['write', 'read'] as const).map((id) =>
    crossoverOf(
      sizesOf(ctx.params).map((size) => ({
        size,
        eager: timeOf(measured, 'eager', size).value,
        rendezvous: timeOf(measured, id, size).value,
      })),
    ),
  );
  ctx.figure('crossover-write', crossings[0] ?? null);
  ctx.figure('crossover-read', crossings[1] ?? null);
  /** µs, one per round. */
  const leads = (size: number): number[] =>
    roundsOf(measured, 'eager', size).map(
      (time, round) => (time - roundsOf(measured, 'write', size)[round]!) * US,
    );
  const lead = statOf(leads(largest));
  const smallest = sizesOf(ctx.params)[0]!;
  const seen = statOf(leads(smallest).map((us) => -us));
  ctx.figure('trip-seen', seen.value, seen);
  ctx.figure('lead-formula', (copies.value - roundTrip.value) * US);
  ctx.figure('lead-measured', lead.value, lead);
  const verdicts = (id: 'write' | 'read') =>
    sizesOf(ctx.params).map((size) => ({
      size,
      order: orderOf(roundsOf(measured, 'eager', size), roundsOf(measured, id, size), verdictsOf(ctx)),
    }));
  const { order } = verdicts('write').at(-1)!;
  ctx.outcome('largest', order === 'few' ? 'unclear' : order);
  const disturbed = tripDisturbed(roundTrip.value, timeOf(measured, 'eager', smallest).value);
  ctx.answer(
    `A message of ${formatBytes(largest)} took ${formatNumber(timeOf(measured, 'eager', largest).value * US)} µs eager and ${formatNumber(timeOf(measured, 'write', largest).value * US)} by rendezvous with WRITE. ${verdictsText(verdicts('write'), 'WRITE')}${disturbed ? '' : ` By the formula, asking first pays off from ${formatBytes(Math.round(formula.value))} on.`}`,
  );
  ctx.note(
    `Eager against rendezvous with READ: ${verdictsText(verdicts('read'), 'READ')} ` +
      `By the formula, a round trip of ${formatTime(roundTrip.value)} and copies at ${rate.toPrecision(3)} GB/s give a crossover of ${formatBytes(Math.round(formula.value))}. ` +
      (disturbed
        ? `This round trip took much longer than an eager message of ${formatBytes(smallest)}, which contains one: other programs probably interrupted it, and the size is too large. Run again when the machine is quiet.`
        : formulaText(formula, verdicts('write'))),
  );
}
