import { formatBytes, formatNumber, plural } from '../format.js';
import { crashEverywhere, reportCrashes, tornOf } from './crashes.js';
import { killTrainer } from './death.js';
import { closeEnds, openEnds, type Context } from './ends.js';
import { measure, OVERLAP, PATHS, type Measured } from './measure.js';
import { commitTogether } from './together.js';

const US = 1e-3;
/** After the two epochs of each of three orders. */
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
  await closeEnds(ends);
  const [dataFirst, recordFirst] = all;
  const { size, times } = measured.paths.at(-1)!;
  ctx.answer(
    `With the record last, none of ${plural(dataFirst!.looks.length, 'crash', 'crashes')} left a torn checkpoint behind the record; with the record first ${tornOf(recordFirst!)} did, and the verifying READ found them all. ` +
      `A WRITE of ${formatBytes(size)} took ${formatNumber(times.direct.value * US)} µs from the buffer itself and ${formatNumber(times.staged.value * US)} µs with a copy on the way. The copy alone took ${formatNumber(times.copy.value * US)} µs.`,
  );
}

function report(ctx: Context, { overlap, paths }: Measured): void {
  for (const id of OVERLAP) {
    const { value, min, max, n } = overlap[id];
    ctx.figure(id, value * US, { min: min * US, max: max * US, n });
  }
  const { compute, transfer, serial, overlapped } = overlap;
  const saved = serial.value - overlapped.value;
  ctx.figure('saved', saved * US);
  ctx.figure('bound', Math.min(compute.value, transfer.value) * US);
  for (const { size, times } of paths) {
    const cells = Object.fromEntries(PATHS.map((id) => [id, times[id].value * US]));
    ctx.row('paths', { size, ...cells, computed: (times.direct.value + times.copy.value) * US });
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
}
