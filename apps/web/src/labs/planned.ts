import { plannedSeconds, plural, roundSeconds, roundsInAll, type BulkTiming } from '@verbslab/labs';
import { secondsText } from '../format/number';
import type { Parameters } from './form-model';

const seconds = (s: number): string => `${Number(s.toPrecision(3))}\u00a0s`;

/** How long a run with these parameters takes, where they decide it; null for the other labs. */
export function plannedText(lab: string, values: Parameters): string | null {
  if (lab !== 'bulk') return null;
  const timing = values as unknown as BulkTiming;
  const rounds = roundsInAll(timing);
  const measured = `${seconds(roundSeconds(timing))} measured`;
  const warmUp = timing.omit > 0 ? `${seconds(timing.omit)} of warm-up and ` : '';
  return (
    `Takes about ${secondsText(plannedSeconds(timing))}, plus set-up and checks: ` +
    `${plural(rounds, 'round')}${rounds === 1 ? '' : ', each'} with ${warmUp}${measured}.`
  );
}
