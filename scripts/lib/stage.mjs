// Helpers that the stages of `npm test` share: the folder of reports, and counts.
import { join } from 'node:path';
import { exec, root } from './exec.mjs';
import { failure } from './reports.mjs';

export const reports = join(root, 'artifacts', 'reports');

/** Runs a check that has no report of its own: it passes or fails by its exit code. */
export async function single(program, args, options) {
  const { code, output } = await exec(program, args, { ...options, quiet: true, allowFailure: true });
  if (code === 0) return { passed: 1, failed: 0 };
  return failure([program, ...args].join(' '), `ended with ${code}\n${output}`);
}

/** The sum of two counts. */
export const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: (a.skipped ?? 0) + (b.skipped ?? 0),
  failures: [...(a.failures ?? []), ...(b.failures ?? [])],
  flaky: [...(a.flaky ?? []), ...(b.flaky ?? [])],
});
