import { median, type TimedWrite } from '@verbslab/protocol';

/**
 * The first number of messages from one buffer for which registering it once, and finding it each time, is cheaper than
 * copying each of them: n × copy > register + n × find. Null where finding it takes as long as the copy.
 */
export const breakEven = (registerNs: number, copyNs: number, findNs = 0): number | null =>
  copyNs > findNs ? Math.floor(registerNs / (copyNs - findNs)) + 1 : null;

/** Nanoseconds of preparation of one message; the first of each round is left out, since the buffer is not in the CPU’s cache yet. */
export const perMessage = (rounds: readonly (readonly TimedWrite[])[]): number =>
  median(rounds.flatMap((writes) => writes.slice(1).map(({ prepareNs }) => prepareNs)));

/** Running sums of the messages’ medians over the rounds. */
export function sums(rounds: readonly (readonly TimedWrite[])[]): number[] {
  let sum = 0;
  return (rounds[0] ?? []).map(
    (_, index) => (sum += median(rounds.map((writes) => writes[index]!.prepareNs))),
  );
}

/** Registrations in a round. */
export const registrations = (writes: readonly TimedWrite[]): number =>
  writes.filter(({ hit }) => !hit).length;

/** The first message at which one running sum is below the other; null if there is none. */
export function crossing(once: readonly number[], copy: readonly number[]): number | null {
  const at = once.findIndex((sum, index) => sum < copy[index]!);
  return at < 0 ? null : at + 1;
}
