/** Runs as points of throughput and cost, and those that no other beats in both. */
import {
  cpuPerGBTotal,
  linkOfRun,
  transportName,
  TRANSPORTS,
  type ProviderClass,
  type RunRow,
  type Transport,
} from '@verbslab/protocol';

/** A transport of a run. */
export interface ScatterPoint {
  run: RunRow;
  transport: Transport;
  name: string;
  provider: ProviderClass;
  goodputGbps: number;
  cpuSecondsPerGB: number;
}

export function scatterPoints(runs: readonly RunRow[]): ScatterPoint[] {
  return runs.flatMap((run) =>
    TRANSPORTS.flatMap((transport): ScatterPoint[] => {
      const one = run.result?.transports[transport];
      if (!one?.cpuSecondsPerGB || !(one.goodputGbps > 0)) return [];
      return [
        {
          ...{ run, transport, name: transportName(transport, linkOfRun(run, transport)) },
          provider: run.result?.provider ?? 'unknown',
          goodputGbps: one.goodputGbps,
          cpuSecondsPerGB: cpuPerGBTotal(one.cpuSecondsPerGB),
        },
      ];
    }),
  );
}

/**
 * The points that no other one beats: none has at least as much goodput for at most as much CPU time, and more of the one or
 * less of the other. By goodput, ascending; equal points are all on the front.
 */
export function paretoFront<P extends Pick<ScatterPoint, 'goodputGbps' | 'cpuSecondsPerGB'>>(
  points: readonly P[],
): P[] {
  const sorted = points.toSorted(
    (a, b) => b.goodputGbps - a.goodputGbps || a.cpuSecondsPerGB - b.cpuSecondsPerGB,
  );
  const front: P[] = [];
  for (const point of sorted) {
    const last = front.at(-1);
    const equal = last?.goodputGbps === point.goodputGbps && last.cpuSecondsPerGB === point.cpuSecondsPerGB;
    if (!last || equal || point.cpuSecondsPerGB < last.cpuSecondsPerGB) front.push(point);
  }
  return front.reverse();
}
