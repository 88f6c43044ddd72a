// The result of `verbslab test`, as `result.json` has it.
import { VERSION } from '../../config/version.js';
import type { Case, ExitCode, JudgedFinding } from './judge.js';
import type { ProcessReport } from './process-report.js';
import type { PlanRule } from './plan.js';
import type { Series } from './series.js';

export interface TestedRun {
  beganAt: string;
  seconds: number;
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Seed of the injected faults; null without faults. */
  seed: number | null;
  cases: Case[];
  findings: JudgedFinding[];
  processes: Omit<ProcessReport, 'findings'>[];
  /** The last 64 KiB that the command printed. */
  output: string;
}

export interface TestResult {
  schema: 'verbslab-test/1';
  version: string;
  command: readonly string[];
  requirements: string;
  exit: ExitCode;
  faults: readonly PlanRule[];
  /** The fewest rules with which it still failed; null without faults or without a failure. */
  shrunk: Series['shrunk'];
  runs: TestedRun[];
}

export function resultOf(
  command: readonly string[],
  requirements: string,
  faults: readonly PlanRule[],
  { tried, shrunk }: Series,
): TestResult {
  return {
    ...{ schema: 'verbslab-test/1', version: VERSION, command, requirements },
    ...{ exit: tried.at(-1)!.judgment.exit, faults, shrunk },
    runs: tried.map(({ attempt: { processes, systemLibrary: _, ...attempt }, judgment, seed }) => ({
      ...attempt,
      ...{ seed, cases: judgment.cases, findings: judgment.findings },
      processes: processes.map(({ findings: __, ...process }) => process),
    })),
  };
}
