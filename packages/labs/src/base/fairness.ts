/**
 * Jain’s index of shares: 1 if all are equal, 1 / n if one has everything; null where there is nothing to share.
 * Jain, Chiu and Hawe, DEC-TR-301, 1984.
 */
export function jainIndex(shares: readonly number[]): number | null {
  const sum = shares.reduce((all, one) => all + one, 0);
  const squares = shares.reduce((all, one) => all + one * one, 0);
  return squares > 0 ? (sum * sum) / (shares.length * squares) : null;
}
