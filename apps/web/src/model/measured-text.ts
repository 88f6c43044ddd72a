import type { RunRecord } from '@verbslab/protocol';
import { secondsText } from '../format/number';

/**
 * Largest relative difference between transports that still count as measured equally long: a round ends with the
 * message in flight, late on a busy CPU.
 */
const ALIKE = 0.1;

/** The common value of all, or null. */
const same = <T>(all: readonly T[]): T | null => (new Set(all).size === 1 ? all[0]! : null);

/**
 * Duration of the measurement behind a run's figures; the rest is set-up, warm-up and checks. The text also names
 * transports and rounds, because the parameters state the duration for a single transport. Null if nothing was
 * measured.
 */
export function measuredText({
  result,
  parameters,
}: Pick<RunRecord, 'result' | 'parameters'>): string | null {
  const all = Object.values(result?.transports ?? {});
  if (all.length === 0) return null;
  const seconds = all.map((one) => one.seconds);
  const [shortest, longest] = [Math.min(...seconds), Math.max(...seconds)];
  const rounds = same(all.map((one) => one.rounds?.length ?? 1));
  const atOnce = parameters.transport === 'both-at-once';
  const total = atOnce ? longest : seconds.reduce((a, b) => a + b);
  const text = `measured for ${secondsText(total)}`;
  const inRounds = rounds !== null && rounds > 1 ? `in ${rounds} rounds` : '';
  if (all.length === 1) return `${text} ${inRounds}`.trim();
  const each = atOnce
    ? ' at once'
    : longest <= shortest * (1 + ALIKE)
      ? ` × ${secondsText(total / all.length)}`
      : '';
  return `${text} (${all.length} transports${each}${inRounds === '' ? '' : `, each ${inRounds}`})`;
}
