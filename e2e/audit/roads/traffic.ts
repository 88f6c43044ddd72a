// Live rates of the home page, which no record keeps: compared with the rates of the run's loops.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { parseFigure } from '../figures.js';
import { loopsOf } from '../loops.js';

const BITS: Readonly<Record<string, number>> = { 'b/s': 1, 'kb/s': 1e3, 'Mb/s': 1e6, 'Gb/s': 1e9 };

/**
 * Factor for headers and ACKs, which the device counts and the loops do not: 32 bytes per packet of 1024 bytes or more.
 */
const OVERHEAD = 1.1;

/** Bits per second of a live rate. */
export function bitsOf(claim: Claim): number {
  const { figure, unit } = claim.match(/^(?<figure>[\d.]+) (?<unit>[kMG]?b\/s)$/);
  const value = parseFigure(figure!)?.value ?? claim.fail('a figure', 'none');
  return value * BITS[unit!]!;
}

/** Checks that a rate over half a second is at most that of the fastest 0.1 s of a loop over RDMA. */
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
