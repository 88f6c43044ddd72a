/** What `verbslab test` computes: levels of findings, smaller fault plans, and which failures shrink to what. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Attempt } from '../src/cli/test/attempt.js';
import { EXIT, type ExitCode } from '../src/cli/test/judge.js';
import { LEVELED } from '../src/cli/test/levels.js';
import { smallerThan, type PlanRule } from '../src/cli/test/plan.js';
import { series, type Tried } from '../src/cli/test/series.js';

const faults = (words: string): PlanRule => ({ option: '--faults', words });
const rule = (words: string): PlanRule => ({ option: '--fault-rule', words });

it('every finding of the report has a level', () => {
  const report = readFileSync(join(import.meta.dirname, '../../../docs/report.md'), 'utf8');
  const table = report.slice(
    report.indexOf('## Findings'),
    report.indexOf('Failed calls and refused requests'),
  );
  const ids = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThan(20);
  expect(LEVELED.toSorted()).toEqual(ids.toSorted());
});

it('a smaller plan lacks one fault, keeps times and seeds, and has only words that are valid', () => {
  const plan = [faults('at=1s,loss=1%,delay=5ms,jitter=1ms,seed=7'), rule('drop:psn=5')];
  expect(smallerThan(plan)).toEqual([
    [faults('at=1s,delay=5ms,jitter=1ms,seed=7'), rule('drop:psn=5')],
    // Jitter without a delay is not valid.
    [faults('at=1s,loss=1%,delay=5ms,seed=7'), rule('drop:psn=5')],
    [faults('at=1s,loss=1%,delay=5ms,jitter=1ms,seed=7')],
  ]);
  expect(smallerThan([faults('loss=1%,seed=7')])).toEqual([[]]);
});

/** A command whose exit code depends on the faults and the seed. */
const simulated = (exitOf: (words: string, seed: number) => ExitCode) => {
  const asked: string[] = [];
  return {
    asked,
    once: (rules: readonly PlanRule[], seed: number): Promise<Tried> => {
      const words = rules.map((one) => one.words).join(' ');
      asked.push(`${seed}: ${words}`);
      const judgment = { cases: [], findings: [], exit: exitOf(words, seed) };
      return Promise.resolve({ attempt: { interrupted: false } as Attempt, judgment, seed });
    },
  };
};
const quiet = (): void => undefined;

it('repeats until it fails, with another seed each time, and leaves out what is not needed', async () => {
  const { once, asked } = simulated((words, seed) =>
    words.includes('loss') && words.includes('psn=5') && seed % 4 === 0 ? EXIT.program : EXIT.passed,
  );
  const rules = [faults('delay=5ms,loss=1%'), rule('drop:psn=5'), rule('drop:psn=6')];
  const { tried, shrunk } = await series({ repeat: 9, seed: 2, rules, once, say: quiet });
  expect(tried.map(({ seed }) => seed)).toEqual([2, 3, 4]);
  expect(shrunk).toMatchObject({ rules: [faults('loss=1%'), rule('drop:psn=5')], seed: 4 });
  expect(asked.length).toBe(3 + shrunk!.runs);
});

it('does not take another failure for the same, and says when faults are not the reason', async () => {
  const rules = [faults('loss=1%'), rule('drop:psn=5')];
  const other = simulated((words) => (words.includes('loss') ? EXIT.misuse : EXIT.program));
  const one = await series({ repeat: 1, seed: 1, rules, once: other.once, say: quiet });
  expect(one.shrunk!.rules).toEqual([faults('loss=1%')]);
  const always = simulated(() => EXIT.program);
  const two = await series({ repeat: 1, seed: 1, rules, once: always.once, say: quiet });
  expect(two.shrunk).toEqual({ rules: [], seed: 1, runs: 1 });
});
