/** Checks that do not apply because other programs on the machine decided the measurement. */
import type { LabContext } from '@verbslab/protocol';

/** Beginning of the detail of such a check. */
export const TOO_BUSY = 'The machine was too busy to tell';

/** The reason for which a check does not apply. @param measured the figures, as a sentence */
export const tooBusy = (measured: string): string => `${TOO_BUSY}: ${measured}`;

/** Limit of repeated measurements: in a busy moment nothing may complete. */
export const TRIES = 5;

/** Repeats a measurement while it is empty, as other programs had the CPUs. The last measurement may still be empty. */
export async function measuredAgain<T>(
  measure: () => Promise<T>,
  isEmpty: (found: T) => boolean,
): Promise<T> {
  let found = await measure();
  for (let tries = 1; tries < TRIES && isEmpty(found); tries++) found = await measure();
  return found;
}

/**
 * Checks measured times or rates. The check fails only where they clearly say the opposite: a few of them that do not
 * fit may be those that other programs slowed down.
 */
export function checkFigures(
  ctx: Pick<LabContext<unknown>, 'check' | 'doesNotApply'>,
  id: string,
  found: { holds: boolean; refuted: boolean },
  detail: string,
): void {
  if (found.holds || found.refuted) ctx.check(id, found.holds, detail);
  else ctx.doesNotApply(id, tooBusy(detail));
}
