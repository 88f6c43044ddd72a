import { closeAll } from '../endpoints/scope.js';
import { formatBytes, formatNumber } from '../base/format.js';
import { fasterCell, fasterText } from '../base/verdict.js';
import { statOf } from '../base/sweep.js';
import { crashEverywhere, reportCrashes, tornOf } from './crashes.js';
import { killTrainer } from './death.js';
import { openEnds, type Context } from './endpoints.js';
import { measure, OVERLAP, PATHS, type Measured } from './measure.js';
import { partsOf } from './parts.js';
import { commitTogether } from './together.js';

const US = 1e-3;
/** Epoch after the two of each of three orders. */
const NEXT_EPOCH = 7;

export async function runCheckpointStaging(ctx: Context): Promise<void> {
  const ends = await openEnds(ctx);
  const all = await crashEverywhere(ctx, ends);
  reportCrashes(ctx, all);
  const measured = await measure(ctx, ends);
  report(ctx, measured);
  await commitTogether(ctx, ends, NEXT_EPOCH);
  await killTrainer(ctx, ends, NEXT_EPOCH + ctx.params.commits);
  ctx.draining();
  await closeAll(ends.restorer, ends.staging);
  const [dataFirst, recordFirst, inPlace] = all.map(tornOf);
  const looks = all[0]!.looks.length;
  const { serial, overlapped } = measured.overlap;
  const { size, times } = measured.paths.at(-1)!;
  const among = verdictsOf(measured);
  const us = (ns: number): string => `${formatNumber(ns * US)} µs`;
  ctx.answer(
    `With two slots and the record last, the record named a torn checkpoint at ${dataFirst} of ${looks} looks; with the record first at ${recordFirst}, and with one slot at ${inPlace}.`,
  );
  ctx.note(
    `Computing and sending took ${us(serial.value)} one after the other and ${us(overlapped.value)} overlapped: ${fasterText(overlapped.rounds, serial.rounds, among, 'overlapped', 'one after the other')}. ` +
      `A WRITE of ${formatBytes(size)} took ${us(times.direct.value)} from the buffer itself and ${us(times.staged.value)} after a copy: ${fasterText(times.direct.rounds, times.staged.rounds, among, 'without the copy', 'with the copy')}.`,
  );
}

/** Verdicts of the page: one of each size, and whether overlapping saved time. */
const verdictsOf = ({ paths }: Measured): number => paths.length + 1;

function report(ctx: Context, measured: Measured): void {
  const { overlap, paths } = measured;
  for (const id of OVERLAP) {
    const { value, min, max, n } = overlap[id];
    ctx.figure(id, value * US, { min: min * US, max: max * US, n });
  }
  const { compute, transfer, serial, overlapped } = overlap;
  const parts = partsOf({
    compute: compute.rounds,
    transfer: transfer.rounds,
    serial: serial.rounds,
    overlapped: overlapped.rounds,
  });
  for (const [name, ns] of Object.entries(parts)) {
    const stat = statOf(ns.map((one) => one * US));
    ctx.figure(name, stat.value, stat);
  }
  for (const { size, times } of paths) {
    const cells = Object.fromEntries(PATHS.map((id) => [id, times[id].value * US]));
    ctx.row('paths', {
      size,
      ...cells,
      computed: (times.direct.value + times.copy.value) * US,
      order: fasterCell(
        times.direct.rounds,
        times.staged.rounds,
        verdictsOf(measured),
        'without copy',
        'with copy',
      ),
    });
    for (const id of ['direct', 'staged'] as const)
      ctx.point('by-size', {
        x: size,
        y: times[id].value * US,
        min: times[id].min * US,
        max: times[id].max * US,
        series: id,
      });
  }
  const { times } = paths.at(-1)!;
  for (const id of PATHS)
    ctx.figure(`path-${id}`, times[id].value * US, {
      min: times[id].min * US,
      max: times[id].max * US,
      n: times[id].n,
    });
  const extra = statOf(times.staged.rounds.map((time, round) => (time - times.direct.rounds[round]!) * US));
  ctx.figure('path-extra', extra.value, extra);
}
