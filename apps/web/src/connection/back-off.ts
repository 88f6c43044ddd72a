/** Pause before attempt n (from 0): at once first, then 0.25 s doubling to 5 s. */
export function backOff(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(5_000, 250 * 2 ** (attempt - 1));
}
