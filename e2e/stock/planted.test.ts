/** `verbslab test` on a small test program with planted bugs: it names each, and shrinks what makes a flake fail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { cli } from './run.js';

const programs = new Programs();
const out = mkdtempSync(join(tmpdir(), 'verbs-test-'));
afterAll(() => {
  programs.remove();
  rmSync(out, { recursive: true });
});

/** Runs `verbslab test` on the command. */
async function judged(options: readonly string[], command: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [cli, 'test', ...options, '--', ...command], {
    env: { ...process.env, GITHUB_ACTIONS: '', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, output, errors };
}

const ALL = 'opened,traffic,no-leak,no-error-cqe,no-misuse=warning';

describe.skipIf(!able)('a program with a planted bug', () => {
  const planted = (bug: string) => [programs.compile('planted', ['-g']), bug];

  it('passes without one', async () => {
    const { code, errors } = await judged(['--require', ALL], planted('right'));
    expect(errors).toBe('verbslab: passed. 1 process on the device, 200 completions with success.\n');
    expect(code).toBe(0);
  });

  it.each([
    ['leak', 2, /object-leaked: MR 0x[0-9a-f]{8}: was never destroyed \(main, planted\.c:\d+\)/],
    ['skip', 3, /opened: the command: No process of the command opened the device\./],
    ['rnr', 3, /RNR_RETRY_EXC_ERR: .* had no receive posted, at the first try and at 0 more \(rnr_retry\)/],
    ['async', 3, /async-event-unread: IBV_EVENT_QP_ACCESS_ERR of QP 0x[0-9a-f]{6} was never read/],
    ['lkey', 3, /sge-outside-mr: .*lkey 0x00001234 belongs to no MR \(send_with, planted\.c:\d+\)/],
    ['ignored', 3, /completion-error-unpolled: .*never polled: IBV_WC_REM_ACCESS_ERR/],
    ['overrun', 3, /cq-overrun: .*a completion was lost: the CQ was full/],
    ['unsignaled', 3, /send-queue-unsignaled: .*all 8 entries of the send queue hold unsignaled WRs/],
  ])('named %s fails with exit code %i and its cause', async (bug, exit, cause) => {
    const { code, errors } = await judged(['--require', ALL], planted(bug));
    expect(errors).toMatch(cause);
    expect(code, errors).toBe(exit);
  });

  it('that waits for a lost wake-up is ended in time, and told', async () => {
    const { code, errors } = await judged(['--timeout', '4'], planted('wakeup'));
    expect(errors).toMatch(/exit: the command: It did not end within \d+ s and was told to\./);
    expect(errors).toMatch(
      /completion-unpolled: .*ibv_req_notify_cq came after them, so they raise no event/,
    );
    expect(code).toBe(1);
  });

  it('that fails by chance is repeated until it does, with the one fault that it needs', async () => {
    const result = join(out, 'flake');
    const faults = [
      '--faults',
      'loss=0.1%,delay=20us,duplicate=1%',
      '--fault-rule',
      'mark:opcode=0x04,nth=3',
    ];
    const options = ['--repeat', '400', '--seed', '3', '--timeout', '60', '--out', result, ...faults];
    const { code, errors } = await judged(options, planted('flake'));
    expect(code, errors).toBe(1);
    const { shrunk, runs } = JSON.parse(readFileSync(join(result, 'result.json'), 'utf8')) as {
      shrunk: { rules: unknown; seed: number };
      runs: { seed: number }[];
    };
    expect(shrunk.rules).toEqual([{ option: '--faults', words: 'loss=0.1%' }]);
    expect(errors).toContain(`still fails with --seed ${shrunk.seed} --faults 'loss=0.1%'`);
    expect(runs.map(({ seed }) => seed)).toEqual(runs.map((_, at) => 3 + at));
  });

  it('is in JUnit XML, SARIF and annotations with its line, and in a baseline', async () => {
    const folder = join(out, 'leak');
    const known = join(out, 'known.json');
    const options = ['--require', ALL, '--out', folder];
    const first = await judged([...options, '--write-baseline', known], planted('leak'), {
      GITHUB_ACTIONS: 'true',
    });
    expect(first.code).toBe(2);
    const line = /title=verbs%3A object-leaked::object-leaked: MR/;
    expect(first.output).toMatch(new RegExp(`^::warning file=.*planted\\.c,line=\\d+,${line.source}`, 'm'));

    const junit = readFileSync(join(folder, 'junit.xml'), 'utf8');
    expect(XMLValidator.validate(junit)).toBe(true);
    const { testsuites } = new XMLParser({
      ignoreAttributes: false,
      isArray: (name) => name === 'testcase',
    }).parse(junit) as { testsuites: { testsuite: { testcase: Record<string, string | object>[] } } };
    const cases = testsuites.testsuite.testcase;
    expect(cases.map((one) => [one['@_classname'], one['@_name'], 'failure' in one])).toEqual([
      ['the command', 'exit', false],
      ['the command', 'opened', false],
      ['the command', 'traffic', false],
      ['planted', 'no-leak', true],
      ['planted', 'no-error-cqe', false],
      ['planted', 'no-misuse', true],
    ]);

    const sarif = JSON.parse(readFileSync(join(folder, 'results.sarif'), 'utf8')) as {
      runs: { results: { ruleId: string; locations: { physicalLocation: object }[] }[] }[];
    };
    const [leak] = sarif.runs[0]!.results.filter(({ ruleId }) => ruleId === 'object-leaked');
    expect(leak!.locations[0]!.physicalLocation).toMatchObject({
      artifactLocation: { uri: expect.stringMatching(/planted\.c$/) as string },
      region: { startLine: expect.any(Number) as number },
    });

    const second = await judged([...options, '--baseline', known], planted('leak'));
    expect(second.errors).toMatch(/warning, known: object-leaked: MR/);
    expect(second.code, second.errors).toBe(0);
    const other = await judged([...options, '--baseline', known], planted('lkey'));
    expect(other.code).toBe(3);
  });

  it('is not blamed for a child: each process is judged by itself', async () => {
    const [program] = planted('right');
    const { code, errors } = await judged(
      ['--require', 'no-leak,traffic'],
      ['sh', '-c', `${program} right & ${program} leak; wait`],
    );
    expect(errors).toMatch(/no-leak: planted #\d:\n {2}object-leaked/);
    expect(errors).toContain('2 processes on the device, 400 completions with success');
    expect(code).toBe(2);
  });

  it('that leaves a process behind is judged with it, after the process was ended', async () => {
    const [program] = planted('wakeup');
    const { code, errors } = await judged([], ['sh', '-c', `${program} wakeup >/dev/null 2>&1 & sleep 1`]);
    expect(errors).toMatch(/no-misuse: planted:\n {2}completion-unpolled/);
    expect(code, errors).toBe(2);
  });

  it('is not repeated once verbslab test is interrupted', async () => {
    const [program] = planted('wakeup');
    const options = ['test', '--repeat', '50', '--faults', 'loss=1%', '--', 'sh', '-c'];
    const child = spawn(process.execPath, [cli, ...options, `echo ready; exec ${program} wakeup`], {
      env: { ...process.env, GITHUB_ACTIONS: '', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const [errors, [code]] = await Promise.all([
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    expect(errors).toContain('run 1 of 50: failed');
    expect(errors).toContain('exit: the command: It was ended by SIGINT.');
    expect(errors).not.toMatch(/run 2 of 50|fails/);
    expect(code).toBe(1);
  });

  it('gives its own exit code as the reason, and one for what verbslab could not run', async () => {
    const own = await judged(['--require', 'none'], ['sh', '-c', 'exit 77']);
    expect(own.errors).toContain('exit: the command: It ended with exit code 77.');
    expect(own.code).toBe(1);
    for (const [options, command, told] of [
      [[], ['no-such-program-at-all'], /no-such-program-at-all/],
      [['--require', 'speed'], ['true'], /“speed” is no requirement\.\n.*opened, traffic/],
      [['--require', 'none,opened'], ['true'], /contradicts itself/],
      [['--require', 'no-misuse=error,no-misuse=note'], ['true'], /has two levels/],
      [['--require', 'no-leak=error'], ['true'], /Only no-misuse has a level/],
      [['--faults', 'los=1%'], ['true'], /“los=1%” is not valid/],
      [['--junit', join(out, 'none/junit.xml')], ['true'], /junit\.xml cannot be written \(ENOENT\)/],
      [['--out', '/dev/null'], ['true'], /\/dev\/null cannot be written \(EEXIST\)/],
      [['--baseline', join(out, 'none.json')], ['true'], /cannot be read \(ENOENT\)/],
    ] as const) {
      const { code, errors } = await judged(options, command);
      expect(errors).toMatch(told);
      expect(code, errors).toBe(4);
    }
  });
});
