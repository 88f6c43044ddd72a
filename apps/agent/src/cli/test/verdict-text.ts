// The verdict for people, on stderr behind the output of the test.
import { plural } from '@verbslab/labs';
import { EXIT, findingLine, processName, type Case, type JudgedFinding } from './judge.js';
import type { TestResult } from './result.js';

const VERDICTS = {
  [EXIT.passed]: 'passed',
  [EXIT.program]: 'failed: the program',
  [EXIT.misuse]: 'failed: misuse of verbs',
  [EXIT.requirement]: 'failed: a requirement',
  [EXIT.cannotRun]: 'not run',
};

/** What the last run shows: cases that failed, then findings that failed nothing, then the verdict. */
export function verdictText({ runs, exit, shrunk }: TestResult): string[] {
  const { cases, findings, processes, seed } = runs.at(-1)!;
  const failed = cases.filter(({ passed }) => !passed);
  const told = new Set(failed.flatMap((one) => one.findings));
  const others = findings.filter((one) => !told.has(one));
  const messages = processes.reduce((sum, { completions }) => sum + completions.successful, 0);
  const injected = processes.flatMap((process) =>
    process.injected.map(
      ({ call, error, count }) =>
        `verbslab: injected into ${processName(process)}: ${call} failed with ${error}, ${plural(count, 'time')}.`,
    ),
  );
  const said = new Set<JudgedFinding>();
  const caseText = ({ of, asks, why, findings: own }: Case): string[] => {
    // A finding that fails two requirements is printed once.
    const fresh = own.filter((one) => !said.has(one));
    fresh.forEach((one) => said.add(one));
    const told = fresh.flatMap((one) => [`  ${findingLine(one)}`, `    ${one.cure}`]);
    return own.length === 0
      ? [`verbslab: ${asks}: ${of}: ${why}`]
      : [`verbslab: ${asks}: ${of}:${fresh.length === 0 ? ' as above' : ''}`, ...told];
  };
  return [
    ...failed.flatMap(caseText),
    ...(others.length === 0
      ? []
      : [
          'verbslab: found, and not required to be absent:',
          ...others.map((one) => `  ${one.level}${one.known ? ', known' : ''}: ${findingLine(one)}`),
        ]),
    ...injected,
    ...(shrunk === null
      ? []
      : [
          shrunk.rules.length === 0
            ? `verbslab: it fails without faults, too (${plural(shrunk.runs, 'run')}).`
            : `verbslab: still fails with --seed ${shrunk.seed} ${shrunk.rules
                .map(({ option, words }) => `${option} '${words}'`)
                .join(' ')} (${plural(shrunk.runs, 'run')}).`,
        ]),
    `verbslab: ${VERDICTS[exit]}. ${plural(processes.length, 'process', 'processes')} on the device, ${plural(messages, 'completion')} with success${runs.length > 1 ? `, run ${runs.length}` : ''}${seed === null ? '' : `, seed ${seed}`}.`,
  ];
}
