// Rates in Gb/s, in columns and in sentences.
import type { Claim } from '../claim.js';

/**
 * Checks a figure in Gb/s. A rate far below 1 Gb/s has its own unit. `shown`: with its unit, or from a column of Gb/s.
 */
export function gbpsFigure(claim: Claim, gbps: number | null, road: string, shown = claim.text): void {
  const { figure, unit } = /^(?<figure>[\d.,]+)\s(?<unit>[kMG]?b\/s)$/.exec(shown)?.groups ?? {};
  if (figure === undefined || gbps === null) return claim.figure(gbps, road, shown);
  const perGb = { 'b/s': 1e9, 'kb/s': 1e6, 'Mb/s': 1e3, 'Gb/s': 1 }[unit!]!;
  claim.figure(gbps * perGb, road, figure);
}
