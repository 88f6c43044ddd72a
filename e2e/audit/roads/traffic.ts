// Live rates of home, which no record keeps: beside what the loops of the run say that they moved.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { parseFigure } from '../figures.js';
import { loopsOf } from '../loops.js';

const BITS: Readonly<Record<string, number>> = { 'b/s': 1, 'kb/s': 1e3, 'Mb/s': 1e6, 'Gb/s': 1e9 };

/** Headers and ACKs, which the device counts and the loops do not: 32 bytes of each packet of at least 1024 and some. */
const OVERHEAD = 1.1;

/** Bits per second that such a figure says. */
export function bitsOf(claim: Claim): number {
  const { figure, unit } = claim.match(/^(?<figure>[\d.]+) (?<unit>[kMG]?b\/s)$/);
  const value = parseFigure(figure!)?.value ?? claim.fail('a figure', 'none');
  return value * BITS[unit!]!;
}

/** No rate over half a second exceeds that of the fastest tenth of a second of a loop over RDMA. */
function bounded(claim: Claim, { data }: Evidence): void {
  const fastest = Math.max(
    ...loopsOf(data)
      .filter(({ transport }) => transport === 'rdma' || transport === 'shm')
      .flatMap(({ intervals }) => intervals.map(({ bytes, intervalNs }) => (bytes * 8e9) / intervalNs)),
  );
  if (!(bitsOf(claim) <= fastest * OVERHEAD)) claim.fail('the fastest interval of a loop over RDMA', fastest);
}

export const TRAFFIC: Roads<Evidence> = {
  'link-out': bounded,
  'link-in': bounded,
  'device-out': bounded,
  'device-in': bounded,
};
