import type { LabContext } from '@verbslab/protocol';
import { formatBytes, formatNumber, formatTime, plural } from '../base/format.js';
import { closePair, connectPair } from '../load/pair.js';
import { mostInFlight } from '../formulas/little.js';
import { fastest, measurePaths, type Path, type PathName } from './measure.js';
import type { DelayAndWindowParams } from './params.js';

type Context = LabContext<DelayAndWindowParams>;

export async function runDelayAndWindow(ctx: Context): Promise<void> {
  const { size, largest, link } = ctx.params;
  const pair = await connectPair(ctx, { link, memory: Math.max(65_536, 2 * size), sendDepth: largest });
  const { link: most, paths } = await measurePaths(ctx, pair);
  await closePair(pair);
  for (const path of paths) show(ctx, path, most);
  judge(ctx, paths);
  conclude(ctx, most, paths);
}

function show(ctx: Context, { name, delay, rtt, points, half, product }: Path, link: number): void {
  for (const point of points) {
    const { window, gbps, computed } = point;
    const y = fastest(point);
    ctx.row('points', {
      delay,
      window,
      gbps: y,
      min: gbps.min,
      computed,
      residual: (y / computed - 1) * 100,
    });
    ctx.point('goodput', { x: window, y, min: gbps.min, max: gbps.max, series: name });
    if (name === 'none') ctx.point('goodput', { x: window, y: link / 2, series: 'half' });
    if (name !== 'long') continue;
    ctx.point('longest', { x: window, y, min: gbps.min, max: gbps.max, series: 'measured' });
    ctx.point('longest', { x: window, y: computed, series: 'computed' });
  }
  ctx.row('paths', {
    delay,
    rtt: rtt.min / 1000,
    product,
    needed: product / ctx.params.size,
    halfComputed: product / ctx.params.size / 2,
    half,
    gbps: fastest(points.at(-1)!),
  });
}

function judge(ctx: Context, paths: readonly Path[]): void {
  const { size } = ctx.params;
  const delayed = paths.filter(({ delay }) => delay > 0);
  const early = delayed.filter(({ delay, points }) =>
    points.some(({ loops }) =>
      loops.some(({ latency }) => latency.count > 0 && latency.minNs < delay * 1000),
    ),
  );
  ctx.check(
    'delayed',
    early.length === 0,
    early.length === 0
      ? `No request completed before its delay was over: ${delayed.map(({ delay, rtt }) => `${delay} µs added, ${formatTime(rtt.min)} measured`).join('; ')}.`
      : early.map(({ delay }) => `Requests completed in less than the ${delay} µs added.`).join(' '),
  );
  const beyond = delayed.flatMap(({ delay, points }) =>
    points.filter(({ window, loops }) =>
      loops.some(({ bytes, elapsedNs, latency }) => {
        const inFlight = (bytes / size) * ((delay * 1000) / elapsedNs);
        return inFlight > mostInFlight(window, latency.maxNs, elapsedNs);
      }),
    ),
  );
  ctx.check(
    'bounded',
    beyond.length === 0,
    beyond.length === 0
      ? 'With a delay, no window carried more than it holds per delay.'
      : `More than the window allows: ${beyond.map(({ window }) => `${window} in flight`).join(', ')}.`,
  );
}

function conclude(ctx: Context, link: number, paths: readonly Path[]): void {
  const { size, largest } = ctx.params;
  const by = Object.fromEntries(paths.map((path) => [path.name, path])) as Record<PathName, Path>;
  ctx.figure('link', link);
  for (const { name, rtt, half } of paths) {
    ctx.figure(`rtt-${name}`, rtt.min / 1000, { min: rtt.min / 1000, max: rtt.max / 1000, n: rtt.n });
    ctx.figure(`half-${name}`, half);
  }
  const eight = (path: Path): number => fastest(path.points.find(({ window }) => window === 8)!);
  const { none, long } = by;
  const kept = (eight(long) / eight(none)) * 100;
  const needed = long.product / size;
  ctx.figure('kept-eight', kept);
  ctx.figure('product', long.product);
  ctx.figure('needed', needed);
  ctx.outcome('rule', needed > largest ? 'window' : 'link');
  const took = ({ half }: Path): string => (half === null ? `more than ${largest}` : plural(half, 'message'));
  ctx.answer(
    `Half of the link took ${took(none)} of ${formatBytes(size)} in flight with a round trip of ${formatTime(none.rtt.min)}, and ${took(long)} with ${formatTime(long.rtt.min)}. Eight in flight carried ${formatNumber(eight(none))} Gb/s without delay and ${formatNumber(eight(long))} with the longest.`,
  );
}
