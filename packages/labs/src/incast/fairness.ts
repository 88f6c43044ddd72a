import { formatNumber } from '../base/format.js';

/**
 * Jain’s index of shares: 1 if all are equal, 1 / n if one has everything; null where there is nothing to share.
 * Jain, Chiu and Hawe, DEC-TR-301, 1984.
 */
export function jainIndex(shares: readonly number[]): number | null {
  const sum = shares.reduce((all, one) => all + one, 0);
  const squares = shares.reduce((all, one) => all + one * one, 0);
  return squares > 0 ? (sum * sum) / (shares.length * squares) : null;
}

/** Values as parts of their sum, %. */
export function sharesOf(values: readonly number[]): number[] {
  const sum = values.reduce((all, one) => all + one, 0);
  return values.map((one) => (one / sum) * 100);
}

/** Busy part of a core from which a device has no time left, %. */
const FULL = 90;

/** Sentence about the server's device as the limit, by its CPU time. @param busy of one core, % */
export function limitText(busy: number): string {
  const used = `The server’s device used ${formatNumber(busy)} % of one core for NIC work`;
  return busy >= FULL
    ? `${used}, so the server was the limit.`
    : `${used}, so it was not the limit by itself. On one machine, clients, probe and server share the cores.`;
}
