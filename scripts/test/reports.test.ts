import { describe, expect, it } from 'vitest';
import { afterSecondAttempt, readJunit, readPlaywright, readVitest, summary } from '../lib/reports.mjs';

describe('reports of the runners', () => {
  it('reads what ctest writes', async () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="3" failures="1" disabled="0" skipped="1" time="40">
  <testcase name="Ring.Wraps" classname="Ring.Wraps" time="0.1" status="run"><system-out>fine</system-out></testcase>
  <testcase name="Uc.Loses" classname="Uc.Loses" time="0.1" status="fail">
    <failure message="Failed"/><system-out>uc_test.cc:7: 1 &lt; 2</system-out>
  </testcase>
  <testcase name="Xrc.Opens" classname="Xrc.Opens" time="0" status="notrun"><skipped message="no"/></testcase>
</testsuite>`;
    expect(await readJunit(text)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: [{ name: 'Uc.Loses', detail: 'Failed\nuc_test.cc:7: 1 < 2' }],
    });
  });

  it('names native tests that passed at the second attempt, and never what a sanitizer found', () => {
    const late = { name: 'Lane.Takes', detail: 'taken is 0' };
    const wrong = { name: 'Ring.Wraps', detail: '1 is not 2' };
    const race = { name: 'Bell.Rings', detail: 'WARNING: ThreadSanitizer: data race' };
    const first = { passed: 7, failed: 3, skipped: 1, failures: [late, wrong, race] };
    expect(afterSecondAttempt(first, { passed: 1, failed: 1, failures: [wrong] })).toEqual({
      passed: 8,
      failed: 2,
      skipped: 1,
      failures: [wrong, race],
      flaky: [late],
    });
    const none = { name: 'ctest native/build', detail: 'left no report' };
    expect(afterSecondAttempt(first, { passed: 0, failed: 1, failures: [none] })).toEqual({
      ...first,
      flaky: [],
    });
  });

  it('reads a report with one test, and with none', async () => {
    const one = '<testsuite tests="1"><testcase name="A" status="run"/></testsuite>';
    expect(await readJunit(one)).toMatchObject({ passed: 1, failed: 0 });
    expect(await readJunit('<testsuite tests="0"></testsuite>')).toMatchObject({ passed: 0, failed: 0 });
  });

  it('reads vitest: a file that was not collected is a failure', () => {
    const test = (status: string, failureMessages: string[]) => ({
      fullName: `t ${status}`,
      status,
      failureMessages,
    });
    const counts = readVitest({
      numPassedTests: 1,
      numPendingTests: 2,
      testResults: [
        { name: 'a.ts', status: 'failed', message: '', assertionResults: [test('failed', ['1 is not 2'])] },
        { name: 'b.ts', status: 'passed', message: '', assertionResults: [test('passed', [])] },
        { name: 'c.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    });
    expect(counts).toEqual({
      passed: 1,
      failed: 2,
      skipped: 2,
      failures: [
        { name: 't failed', detail: '1 is not 2' },
        { name: 'c.ts', detail: 'no such module' },
      ],
      flaky: [],
    });
  });

  it('names what passed at the second attempt', () => {
    const twice = { fullName: 'races', status: 'passed', failureMessages: ['late'] };
    expect(
      readVitest({
        numPassedTests: 1,
        numPendingTests: 0,
        testResults: [{ name: 'a.ts', status: 'passed', message: '', assertionResults: [twice] }],
      }),
    ).toMatchObject({ passed: 1, failed: 0, flaky: [{ name: 'races', detail: 'late' }] });
    const results = [{ errors: [{ message: 'late' }] }, { errors: [] }];
    expect(
      readPlaywright({
        suites: [{ specs: [{ title: 'races', ok: true, tests: [{ status: 'flaky', results }] }] }],
        errors: [],
        stats: { expected: 0, flaky: 1, unexpected: 0, skipped: 0 },
      }),
    ).toMatchObject({ passed: 1, failed: 0, flaky: [{ name: 'races', detail: 'late' }] });
  });

  it('reads playwright, in nested suites', () => {
    const spec = { title: 'opens', ok: false, tests: [{ results: [{ errors: [{ message: 'no page' }] }] }] };
    const counts = readPlaywright({
      suites: [{ suites: [{ specs: [spec, { title: 'closes', ok: true, tests: [] }] }] }],
      errors: [],
      stats: { expected: 1, flaky: 0, unexpected: 1, skipped: 0 },
    });
    expect(counts).toMatchObject({ passed: 1, failed: 1, failures: [{ name: 'opens', detail: 'no page' }] });
  });

  it('shows the end of a long failure, without colors', () => {
    const wide = 'x'.repeat(10_000);
    const detail = `${Array.from({ length: 90 }, (_, i) => `line ${i}`).join('\n')}\n${wide}\n\u001b[31mlast\u001b[39m`;
    const lines = summary({ name: 'native: Ring', detail }).split('\n');
    expect(lines[0]).toBe('native: Ring');
    expect(lines.at(-1)).toBe('    last');
    expect(lines.at(-2)).toHaveLength(205);
    expect(lines).toHaveLength(27);
  });
});
