// Findings as lines that GitHub Actions shows beside the sources.
import { findingLine, type JudgedFinding } from './judge.js';
import { shownPath } from './sarif.js';
import type { TestResult } from './result.js';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function annotation(finding: JudgedFinding): string {
  const { level, place, id, cure } = finding;
  const at = place?.file == null ? '' : `file=${property(shownPath(place.file))},line=${place.line},`;
  return `::${COMMANDS[level]} ${at}title=${property(`verbs: ${id}`)}::${data(`${findingLine(finding)}. ${cure}`)}`;
}

/** Lines of all findings that the baseline does not have, and of each case that failed without one. */
export const annotationsOf = ({ runs }: TestResult): string[] =>
  runs.flatMap(({ cases, findings }) => [
    ...findings.filter(({ known }) => !known).map(annotation),
    ...cases
      .filter(({ passed, findings: own }) => !passed && own.length === 0)
      .map(({ of, asks, why }) => `::error title=${property(`verbs: ${asks}`)}::${data(`${of}: ${why}`)}`),
  ]);
