import { describe, expect, it } from 'vitest';
import { reportHtml } from '../src/html/report.js';
import { reportMarkdown } from '../src/markdown/report.js';
import { evidenceOf, failedProgram, TOLD } from './failure.js';
import { result, run } from './source.js';
import { named, textOf, treeOf } from './tree.js';

const words = (html: string): string => textOf(named(treeOf(html), 'body')[0]!);

/** The words of both reports, without markup. */
const both = (source: ReturnType<typeof failedProgram>): string[] => [
  words(reportHtml(source)),
  reportMarkdown(source).replaceAll('\\', ''),
];

describe('the report of a run that failed', () => {
  it('tells each error once, with its reason, its cure and its line', () => {
    for (const text of both(failedProgram(evidenceOf(TOLD)))) {
      expect(text).toContain('RDMA_WRITE of 16 KiB (wr_id 19) on QP 0x000011 failed: REM_ACCESS_ERR.');
      expect(text).toContain('It was posted by main, bad.c:25.');
      expect(text).toContain('rkey 0x7 names no MR of the PD.');
      expect(text).toContain('Send the rkey that ibv_reg_mr returned.');
      expect(text.split('REM_ACCESS_ERR')).toHaveLength(2);
    }
  });

  it('lists what was left behind, and what the program printed', () => {
    for (const text of both(failedProgram(evidenceOf(TOLD)))) {
      expect(text).toContain('Objects left behind');
      expect(text).toMatch(/MR 0x00000009[ |]*151[ |]*main, bad.c:25[ |]*Call ibv_dereg_mr/);
      expect(text).toContain('completion 19: status 10');
    }
  });

  it('names the packet that refused the request by its number in the order of time', () => {
    for (const text of both(failedProgram(evidenceOf(TOLD)))) {
      expect(text).toContain('No. 3 at 0.002 s, from 10.0.0.1 to 10.0.0.2: ');
      expect(text).toMatch(/No\. 3 .*NAK/);
    }
    const quiet = failedProgram(evidenceOf(TOLD, false));
    for (const text of both(quiet)) expect(text).not.toContain('First bad packet');
  });

  it('counts what was alive when a program was killed, without calling it leaked', () => {
    const made = { kind: 'object', phase: 'made', call: 'ibv_reg_mr', attrs: {}, endpoint: 'pid 5' } as const;
    const evidence = evidenceOf([
      { ...made, object: 'MR', number: 1 },
      { ...made, object: 'MR', number: 2 },
      { ...made, object: 'PD', number: 1 },
      { ...made, object: 'PD', number: 1, phase: 'gone' },
    ]);
    for (const text of both(failedProgram(evidence))) {
      expect(text).toMatch(/Objects alive at the end[^]*MR[ |]*2/);
      expect(text).not.toMatch(/PD[ |]*1/);
      expect(text.toLowerCase()).not.toContain('leak');
    }
  });

  it('says that nothing reported an error where a program just ended', () => {
    for (const text of both(failedProgram(evidenceOf([], false))))
      expect(text).toContain('No call, work request or counter reported an error.');
  });

  it('draws no chart of nothing', () => {
    const html = reportHtml(failedProgram(evidenceOf(TOLD)));
    expect(named(treeOf(html), 'svg')).toHaveLength(0);
    expect(html).not.toContain('over run time');
    expect(reportMarkdown(failedProgram(evidenceOf(TOLD)))).not.toContain('over run time');
  });

  it('keeps the end of a long output, and says how much that is', () => {
    const line = `${'x'.repeat(99)}\n`;
    const events = Array.from({ length: 50 }, (_, i) => ({
      ...{ kind: 'output' as const, stream: 'stdout' as const, t: i, bytes: 8000 },
      text: `${i}:`.padEnd(100, 'y') + line.repeat(79),
    }));
    for (const text of both(failedProgram(evidenceOf(events)))) {
      expect(text).toContain('49:y');
      expect(text).not.toContain('\n0:y');
      expect(text).toMatch(/The last 32,[67]\d\d of 400,000 characters that were kept\./);
    }
  });

  it('says nothing of the kind about a run in which nothing went wrong', () => {
    const done = failedProgram(evidenceOf([]), {
      run: run({ lab: 'program', parameters: { command: ['./good'] }, result: result({ checks: [] }) }),
    });
    for (const text of both(done)) expect(text).not.toMatch(/Errors and misuse|left behind|bad packet/);
  });

  it('shows what a program prints as text', () => {
    const attack = '</pre><script>alert(1)</script>```';
    const source = failedProgram(evidenceOf([{ kind: 'output', stream: 'stdout', text: attack, bytes: 33 }]));
    expect(named(treeOf(reportHtml(source)), 'script')).toHaveLength(0);
    expect(words(reportHtml(source))).toContain(attack);
    expect(reportMarkdown(source)).toContain(`\`\`\`\`\n${attack}\n\`\`\`\``);
  });
});
