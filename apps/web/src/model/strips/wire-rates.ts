/** Rates of the packets that each endpoint sent around a moment, from its captured packets. */
import type { RunModel } from '../run-model';

/** Packets per second from which a picture draws a lane as wide as its rate, and no single packets. */
export const MANY_PACKETS = 2000;
/** Half of the stretch that is counted, ns. */
const AROUND_NS = 5e6;

export interface WireRate {
  packetsPerSecond: number;
  /** On the wire. */
  gbps: number;
}

/** By endpoint; without those that sent no captured packet around the moment. */
export function wireRatesAt(run: RunModel, at: number): ReadonlyMap<string, WireRate> {
  const sums = new Map<string, { packets: number; bytes: number }>();
  const all = run.packets.all;
  for (let i = lowerBound(run, at - AROUND_NS); i < all.length; i++) {
    const { t, direction, source, origLen } = all[i]!;
    if (t > at + AROUND_NS) break;
    const endpoint = run.sources.get(source)?.endpoint;
    if (direction !== 'sent' || endpoint === undefined) continue;
    const sum = sums.get(endpoint) ?? { packets: 0, bytes: 0 };
    sum.packets++;
    sum.bytes += origLen;
    sums.set(endpoint, sum);
  }
  const seconds = (2 * AROUND_NS) / 1e9;
  return new Map(
    [...sums].map(([endpoint, { packets, bytes }]) => [
      endpoint,
      { packetsPerSecond: packets / seconds, gbps: (bytes * 8) / 1e9 / seconds },
    ]),
  );
}

/** Position of the first packet from a time on; packets of a complete run are in order of time. */
function lowerBound({ packets: { all } }: RunModel, from: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.t < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
