// The faults of a test: rules of the command line, what a smaller plan is, and what is injected.
import { AppError, callRule, isCallRule, type PlannedFaults } from '@verbslab/protocol';
import { planFrom, readWords } from '../planned-faults.js';

/** Words of one `--faults` or `--fault-rule`. */
export interface PlanRule {
  option: '--faults' | '--fault-rule';
  words: string;
}

/** When and where the settings of a rule apply, and how they draw: no faults by themselves. */
const CONDITION = /^(at|endpoint|seed)=/;

export interface Plan {
  /** Faults of packets. */
  packets: PlannedFaults[];
  /** Rules about calls, as the device reads them. */
  calls: string[];
}

/** The rules as faults to be injected, with this seed where none is named. Throws AppError USAGE for words that are none. */
export function planOf(rules: readonly PlanRule[], seed: number): Plan {
  const of = (option: PlanRule['option']) =>
    rules.filter((rule) => rule.option === option).map(({ words }) => words);
  const ruled = of('--fault-rule');
  const plan = planFrom(
    of('--faults'),
    ruled.filter((words) => !isCallRule(words)),
  );
  const packets = plan.map(({ faults, ...one }) => ({
    ...one,
    faults: faults.rates ? { ...faults, rates: { seed: `0x${seed.toString(16)}`, ...faults.rates } } : faults,
  }));
  return { packets, calls: readWords(() => ruled.filter(isCallRule).map((words) => callRule(words, seed))) };
}

/** A rule without one of its settings; null if no fault is left in it. */
function without({ option, words }: PlanRule, word: string): PlanRule | null {
  const rest = words.split(',').filter((one) => one !== word);
  return rest.every((one) => CONDITION.test(one)) ? null : { option, words: rest.join(',') };
}

/** All plans that lack one fault of this one, and whose words are still valid. */
export function smallerThan(rules: readonly PlanRule[]): PlanRule[][] {
  const plans = rules.flatMap((rule, at) => {
    const words =
      rule.option === '--faults' ? rule.words.split(',').filter((one) => !CONDITION.test(one)) : [];
    const smaller = words.length > 1 ? words.map((word) => without(rule, word)) : [null];
    return smaller.map((one) => [...rules.slice(0, at), ...(one ? [one] : []), ...rules.slice(at + 1)]);
  });
  return plans.filter(isValid);
}

function isValid(rules: readonly PlanRule[]): boolean {
  try {
    planOf(rules, 1);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
