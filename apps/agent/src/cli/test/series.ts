// Attempts in a row, until one fails, and the fewest faults with which it still fails.
import type { Attempt } from './attempt.js';
import { EXIT, type Judgment } from './judge.js';
import { smallerThan, type PlanRule } from './plan.js';

export interface Tried {
  attempt: Attempt;
  judgment: Judgment;
  /** Seed of its faults; null without faults. */
  seed: number | null;
}

export interface Shrunk {
  /** Faults that are left: without any one of them, it passed. None: it fails without faults, too. */
  rules: readonly PlanRule[];
  seed: number;
  /** Runs that this took. */
  runs: number;
}

export interface Series {
  tried: Tried[];
  /** Null without faults, or without a failure. */
  shrunk: Shrunk | null;
}

export interface SeriesOptions {
  repeat: number;
  seed: number;
  rules: readonly PlanRule[];
  /** Runs the command once, with faults that have this seed. */
  once: (rules: readonly PlanRule[], seed: number) => Promise<Tried>;
  say: (text: string) => void;
}

/** Runs with each smaller plan, with other seeds: what fails seldom needs several. */
const TRIES = 3;

const failed = ({ judgment }: Tried): boolean => judgment.exit !== EXIT.passed;

/** Leaves out one fault after another, as long as the command still fails in the same way. */
async function shrink({ rules, once, say }: SeriesOptions, seed: number, failure: Tried): Promise<Shrunk> {
  let runs = 0;
  let interrupted = false;
  const fails = async (some: readonly PlanRule[]): Promise<number | null> => {
    for (let i = 0; i < TRIES; ++i) {
      runs += 1;
      const { judgment, attempt } = await once(some, seed + i);
      interrupted ||= attempt.interrupted;
      if (interrupted) return null;
      if (judgment.exit === failure.judgment.exit) return seed + i;
    }
    return null;
  };
  if ((await fails([])) !== null) return { rules: [], seed, runs };
  let [left, last] = [rules, seed];
  for (let smaller = smallerThan(left); smaller.length > 0 && !interrupted;) {
    const plan = smaller.shift()!;
    const by = plan.length > 0 ? await fails(plan) : null;
    if (by === null) continue;
    [left, last] = [plan, by];
    smaller = smallerThan(left);
    say(`it still fails with ${left.map(({ option, words }) => `${option} ${words}`).join(' ')}`);
  }
  return { rules: left, seed: last, runs };
}

export async function series(options: SeriesOptions): Promise<Series> {
  const { repeat, seed, rules, once, say } = options;
  const tried: Tried[] = [];
  for (let i = 0; i < repeat; ++i) {
    const last = await once(rules, seed + i);
    tried.push(last);
    if (repeat > 1) say(`run ${i + 1} of ${repeat}: ${failed(last) ? 'failed' : 'passed'}`);
    // A user who interrupts the test wants no more runs.
    if (last.attempt.interrupted) return { tried, shrunk: null };
    if (failed(last))
      return { tried, shrunk: rules.length > 0 ? await shrink(options, seed + i, last) : null };
  }
  return { tried, shrunk: null };
}
