/** Goodput and latency at each delay and window. */
import type { EndpointLoopResult, LabContext } from '@verbslab/protocol';
import { bandwidth, goodput } from '../load/loop.js';
import type { Pair } from '../load/pair.js';
import { WARM_UP_MS } from '../form/common-params.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { withFaults } from '../loss/faulty.js';
import { bandwidthDelay, windowLimited } from '../formulas/little.js';
import type { DelayAndWindowParams } from './params.js';

export const PATHS = ['none', 'short', 'long'] as const;
export type PathName = (typeof PATHS)[number];

export interface Point {
  window: number;
  gbps: Stat;
  loops: EndpointLoopResult[];
  /** Gb/s: the link, or what the window allows in one measured round trip. */
  computed: number;
}

export interface Path {
  name: PathName;
  /** µs that the server’s device adds. */
  delay: number;
  /** Mean latency with one message in flight in the fastest repetition, ns. */
  rtt: Stat;
  points: Point[];
  /** The fewest messages in flight that carry half of the link; null: none of the windows does. */
  half: number | null;
  /** Bytes in flight that fill the link. */
  product: number;
}

/** The smallest window whose goodput is at least `least`; null: none is. */
export const enough = (points: readonly { window: number; gbps: number }[], least: number): number | null =>
  points.reduce<number | null>(
    (found, { window, gbps }) => (gbps >= least && (found === null || window < found) ? window : found),
    null,
  );

/** The fastest repetition counts: other programs on the machine can only slow one down. */
export const fastest = ({ gbps }: Point): number => gbps.max;

export async function measurePaths(
  ctx: LabContext<DelayAndWindowParams>,
  pair: Pair,
): Promise<{ link: number; paths: Path[] }> {
  const { size, largest, delay, duration, repeat } = ctx.params;
  const delays: Record<PathName, number> = { none: 0, short: delay / 4, long: delay };
  const windows = powersOfTwo(largest);
  const settings = PATHS.flatMap((name) => windows.map((window) => ({ name, window })));
  const found = await sweep(
    ctx,
    settings,
    repeat,
    ({ name, window }) => `${delays[name]} µs, ${window} in flight`,
    async ({ name, window }) => {
      const faults = { rates: { delay: name === 'none' ? 0 : 1, delayUs: Math.round(delays[name]) } };
      const options = { size, txDepth: window, cqMod: 1, durationMs: duration, omitMs: WARM_UP_MS };
      return (await withFaults(pair.server.endpoint, faults, () => bandwidth(pair, options))).result;
    },
  );
  const of = (name: PathName, window: number): EndpointLoopResult[] =>
    found[settings.findIndex((one) => one.name === name && one.window === window)]!;
  const stat = (loops: readonly EndpointLoopResult[]): Stat => statOf(loops.map(goodput));
  const link = Math.max(...windows.map((window) => stat(of('none', window)).max));
  const paths = PATHS.map((name): Path => {
    const rtt = statOf(
      of(name, 1)
        .filter(({ latency }) => latency.count > 0)
        .map(({ latency }) => latency.meanNs),
    );
    const points = windows.map((window): Point => {
      const loops = of(name, window);
      return {
        window,
        loops,
        gbps: stat(loops),
        computed: Math.min(link, windowLimited(window, size, rtt.min)),
      };
    });
    return {
      name,
      delay: Math.round(delays[name]),
      rtt,
      points,
      half: enough(
        points.map((point) => ({ window: point.window, gbps: fastest(point) })),
        link / 2,
      ),
      product: bandwidthDelay(link, rtt.min),
    };
  });
  return { link, paths };
}
