import { plural } from '@verbslab/labs';
import type { LabTiming } from '@verbslab/protocol';
import { secondsText } from '../format/number';
import type { Parameters } from '../model/fields';

const seconds = (s: number): string => `${Number(s.toPrecision(3))}\u00a0s`;

/** Planned duration of a run: in short, and what it consists of. */
export interface Planned {
  short: string;
  full: string;
}

/**
 * Planned duration of a run with these parameters, from the timing that its lab declares; null without a declaration.
 */
export function plannedTime(timing: LabTiming | undefined, values: Parameters): Planned | null {
  if (!timing) return null;
  const repeat = Number(values[timing.rounds]);
  const each = Number(values[timing.measured]) / repeat;
  const warmUp = Number(values[timing.warmUp]);
  const turns = timing.turns.of[String(values[timing.turns.param])] ?? 1;
  const rounds = repeat * turns;
  const before = warmUp > 0 ? `${seconds(warmUp)} of warm-up and ` : '';
  const total = secondsText(rounds * (each + warmUp));
  return {
    short: `about ${total}`,
    full:
      `Takes about ${total}, plus set-up and checks: ` +
      `${plural(repeat, 'round')}${turns === 1 ? '' : ` of ${turns} turns`}` +
      `${rounds === 1 ? '' : ', each'} with ${before}${seconds(each)} measured.`,
  };
}
