// Reads the reports of the test runners: counts, and failures in the runner's own words.
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ name: string, detail: string }} Failure */
/** `flaky` has the tests that failed first and passed at a second attempt; they count as passed.
 * @typedef {{ passed: number, failed: number, skipped?: number, failures?: Failure[], flaky?: Failure[] }} Counts */

/** Counts of one check that failed. @returns {Counts} */
export const failure = (name, detail) => ({ passed: 0, failed: 1, failures: [{ name, detail }] });

/** The JUnit file that ctest writes. @returns {Promise<Counts>} */
export async function readJunit(text) {
  // Only now: these scripts start before anything is installed.
  const { XMLParser } = await import('fast-xml-parser');
  const xml = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'testcase',
  });
  const cases = xml.parse(text).testsuite?.testcase ?? [];
  const failures = cases
    .filter(({ status }) => status === 'fail')
    .map((test) => ({
      name: test.name,
      detail: [test.failure?.message, test['system-out']].filter(Boolean).join('\n'),
    }));
  const passed = cases.filter(({ status }) => status === 'run').length;
  return {
    passed,
    failed: failures.length,
    skipped: cases.length - passed - failures.length,
    failures,
  };
}

/**
 * True for a failure that may pass again. A finding of a sanitizer is no matter of luck: it counts after a second
 * attempt too. @param {Failure} failure
 */
export const mayPassAgain = ({ detail }) => !/Sanitizer:|runtime error:/.test(detail);

/**
 * Counts of a run after those of its failures that may pass ran again.
 * @param {Counts} first
 * @param {Counts} second
 * @returns {Counts}
 */
export function afterSecondAttempt(first, second) {
  const again = new Set(second.failures.map(({ name }) => name));
  const ran = first.failures.filter(mayPassAgain);
  // A test without a result in the second attempt has not passed.
  const flaky = second.passed + second.failed < ran.length ? [] : ran.filter(({ name }) => !again.has(name));
  const failures = first.failures.filter((one) => !flaky.includes(one));
  return { ...first, passed: first.passed + flaky.length, failed: failures.length, failures, flaky };
}

/** Vitest's JSON report. A file that could not be collected counts as one failure. @returns {Counts} */
export function readVitest(report) {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ name, detail: message }];
    return failed.map((test) => ({ name: test.fullName, detail: test.failureMessages.join('\n') }));
  });
  const flaky = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName, failureMessages }) => ({ name: fullName, detail: failureMessages.join('\n') }));
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failures,
    flaky,
  };
}

/** Playwright's JSON report. @returns {Counts} */
export function readPlaywright({ suites, errors, stats }) {
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  const all = suites.flatMap(specs);
  const told = ({ title, tests }) => ({
    name: title,
    detail: tests
      .flatMap(({ results }) => results)
      .flatMap((result) => result.errors)
      .map(({ message }) => message)
      .join('\n'),
  });
  const failures = all.filter(({ ok }) => !ok).map(told);
  for (const { message } of errors) failures.push({ name: 'playwright', detail: message });
  return {
    passed: stats.expected + stats.flaky,
    failed: failures.length,
    skipped: stats.skipped,
    failures,
    flaky: all.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(told),
  };
}

const LINES = 25;
const COLUMNS = 200;

/** A failure in few lines: its name, then the end of what the runner said. @param {Failure} failure */
export function summary({ name, detail }) {
  const lines = stripVTControlCharacters(detail).trim().split('\n');
  const shown = lines.length > LINES ? ['…', ...lines.slice(-LINES)] : lines;
  const clip = (text) => (text.length > COLUMNS ? `${text.slice(0, COLUMNS)}…` : text);
  return [clip(name), ...shown.map((line) => `    ${clip(line)}`)].join('\n');
}
