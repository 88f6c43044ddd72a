// Rates in Gb/s, in columns and in sentences.
import type { Claim } from '../claim.js';

/** A figure in Gb/s; far below a gigabit it has a unit of its own. `shown`: with its unit, or a figure of a column of Gb/s. */
export function gbpsFigure(claim: Claim, gbps: number | null, road: string, shown = claim.text): void {
  const { figure, unit } = /^(?<figure>[\d.,]+)\s(?<unit>[kMG]?b\/s)$/.exec(shown)?.groups ?? {};
  if (figure === undefined || gbps === null) return claim.figure(gbps, road, shown);
  const perGb = { 'b/s': 1e9, 'kb/s': 1e6, 'Mb/s': 1e3, 'Gb/s': 1 }[unit!]!;
  claim.figure(gbps * perGb, road, figure);
}
