// What an attempt says about each requirement.
import { isLeak, placeText } from '@verbslab/protocol';
import { plural } from '@verbslab/labs';
import type { Attempt } from './attempt.js';
import { isKnown, type Baseline } from './baseline.js';
import { atLeast, levelOf, type Level } from './levels.js';
import type { PlacedFinding, ProcessReport } from './process-report.js';
import type { RequirementName, Requirements } from './requirements.js';

/** A finding as the verdict shows it. */
export interface JudgedFinding extends PlacedFinding {
  /** Program of the process that has it, and its ID. */
  program: string;
  pid: number;
  level: Level;
  /** True if the baseline has it: it is named, and fails nothing. */
  known: boolean;
}

/** Requirement, asked of a process or of the command. */
export interface Case {
  /** `server`, `server #2` of several, or `the command`. */
  of: string;
  asks: RequirementName | 'exit';
  passed: boolean;
  /** Sentence that says why it failed. */
  why: string | null;
  findings: JudgedFinding[];
}

export interface Judgment {
  cases: Case[];
  findings: JudgedFinding[];
  /** Exit code of `verbslab test`. */
  exit: ExitCode;
}

export const EXIT = { passed: 0, program: 1, misuse: 2, requirement: 3, cannotRun: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const COMMAND = 'the command';
const ERRORS = new Set(['request-failed', 'completion-error-unpolled', 'memory-gone']);
const MISUSE: ReadonlySet<Case['asks']> = new Set(['no-leak', 'no-misuse']);

export const processName = ({ program, pid }: Pick<ProcessReport, 'program' | 'pid'>): string =>
  `${program} (pid ${pid})`;

export function findingLine({ id, object, detail, place, count }: JudgedFinding): string {
  const times = count > 1 ? `, ${count} times` : '';
  // Some findings name their objects themselves, or are about none.
  const of = detail.includes(object) || !/\d/.test(object) ? '' : `${object}: `;
  return `${id}: ${of}${detail}${times}${place === null ? '' : ` (${placeText(place)})`}`;
}

function endedWell({ code, signal, timedOut, seconds }: Attempt): Case {
  const why = timedOut
    ? `It did not end within ${seconds.toFixed(0)} s and was told to.`
    : signal !== null
      ? `It was ended by ${signal}.`
      : code === 0
        ? null
        : `It ended with exit code ${code}.`;
  return { of: COMMAND, asks: 'exit', passed: why === null, why, findings: [] };
}

function ofCommand(asks: 'opened' | 'traffic', { processes, systemLibrary }: Attempt): Case {
  const done =
    asks === 'opened'
      ? processes.length > 0
      : processes.some(({ completions }) => completions.successful > 0);
  const library =
    systemLibrary === null ? '' : ` It loaded ${systemLibrary}, which does not know the device.`;
  const why =
    asks === 'opened' || processes.length === 0
      ? `No process of the command opened the device.${library}`
      : 'No process got a completion with success.';
  return { of: COMMAND, asks, passed: done, why: done ? null : why, findings: [] };
}

function ofProcess(
  asks: 'no-leak' | 'no-error-cqe' | 'no-misuse',
  of: string,
  process: ProcessReport,
  findings: readonly JudgedFinding[],
  level: Level,
): Case {
  const wanted = findings.filter(({ id, known, level: own }) => {
    if (known) return false;
    if (asks === 'no-leak') return isLeak({ kind: 'finding', id });
    return asks === 'no-error-cqe' ? ERRORS.has(id) : !isLeak({ kind: 'finding', id }) && atLeast(own, level);
  });
  const { failed } = process.completions;
  const errors =
    asks === 'no-error-cqe' && wanted.length === 0 && failed > 0 && findings.every((one) => !one.known);
  const passed = wanted.length === 0 && !errors;
  return {
    of,
    asks,
    passed,
    why: passed
      ? null
      : errors
        ? `${plural(failed, 'completion')} had an error.`
        : `${plural(wanted.length, 'finding')}: ${wanted.map(findingLine).join('; ')}.`,
    findings: wanted,
  };
}

/** Names that are the same in each run: the program, and which of its processes, by their IDs. */
function caseNames(processes: readonly ProcessReport[]): (process: ProcessReport) => string {
  return (process) => {
    const same = processes.filter(({ program }) => program === process.program);
    return same.length === 1 ? process.program : `${process.program} #${same.indexOf(process) + 1}`;
  };
}

/** Judges one attempt. A known finding of the baseline fails nothing. */
export function judge(attempt: Attempt, { names, level }: Requirements, baseline: Baseline | null): Judgment {
  const nameOf = caseNames(attempt.processes);
  const found = attempt.processes.map((process) => ({
    process,
    findings: process.findings.map((finding): JudgedFinding => {
      const named = { ...finding, program: process.program, pid: process.pid };
      return { ...named, level: levelOf(finding.id), known: baseline !== null && isKnown(baseline, named) };
    }),
  }));
  const cases = [
    endedWell(attempt),
    ...(['opened', 'traffic'] as const)
      .filter((asks) => names.has(asks))
      .map((asks) => ofCommand(asks, attempt)),
    ...(['no-leak', 'no-error-cqe', 'no-misuse'] as const)
      .filter((asks) => names.has(asks))
      .flatMap((asks) =>
        found.map(({ process, findings }) => ofProcess(asks, nameOf(process), process, findings, level)),
      ),
  ];
  const failed = cases.filter(({ passed }) => !passed);
  const exit = failed.some(({ asks }) => asks === 'exit')
    ? EXIT.program
    : failed.some(({ asks }) => !MISUSE.has(asks))
      ? EXIT.requirement
      : failed.length > 0
        ? EXIT.misuse
        : EXIT.passed;
  return { cases, findings: found.flatMap(({ findings }) => findings), exit };
}
