/** Output of a program under `verbslab exec`: it reaches its reader unchanged, and is in the run. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isFinal, OUTPUT_KEPT_BYTES, type RunEventOf, type RunRecord } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { withoutPage } from './helpers/exec.js';

const verbslab = fileURLToPath(new URL('../bin/verbslab.js', import.meta.url));

type Output = RunEventOf<'output'>;

interface Program {
  child: ChildProcess;
  home: string;
  /** The run, once it has ended. */
  run(): Promise<{ record: RunRecord; output: Output[] }>;
}

async function exec(
  script: string,
  stdio: ('pipe' | number)[] = ['pipe', 'pipe', 'pipe'],
  options: string[] = [],
): Promise<Program> {
  const home = newHome();
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const child = spawn(process.execPath, [verbslab, 'exec', ...options, '--', 'sh', '-c', script], {
    env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home },
    stdio,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    home,
    async run() {
      await recorder.untilMessage('run.changed', ({ run }) => isFinal(run.state));
      const found = recorder.messages.find((m) => m.type === 'run.changed' && isFinal(m.run.state));
      if (found?.type !== 'run.changed') throw new Error('it was there a moment ago');
      await recorder.client.request('run.subscribe', { runId: found.run.id, fromSeq: 1 });
      await recorder.untilMessage('run.complete');
      const record = (await recorder.client.request('run.get', { runId: found.run.id })).run;
      return { record, output: recorder.events.filter((e): e is Output => e.kind === 'output') };
    },
  };
}

interface Printed {
  code: number | null;
  signal: string | null;
  out: Buffer;
  err: string;
}

async function printed({ child }: Program): Promise<Printed> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, out: Buffer.concat(out), err: withoutPage(Buffer.concat(err).toString()) };
}

const textOf = (output: Output[], stream: Output['stream']): string =>
  output
    .filter((one) => one.stream === stream)
    .map(({ text }) => text)
    .join('');

describe('the output of a program under verbslab exec', () => {
  it('reaches its reader unchanged and is in the run by stream, with the exit code', async () => {
    const program = await exec('echo one; echo two >&2; printf "\\303\\251\\377 end"; exit 3');
    const { code, out, err } = await printed(program);
    expect([code, err]).toEqual([3, 'two\n']);
    expect(out).toEqual(Buffer.from('one\n\xc3\xa9\xff end', 'latin1'));
    const { record, output } = await program.run();
    expect(textOf(output, 'stdout')).toBe('one\né\ufffd end');
    expect(textOf(output, 'stderr')).toBe('two\n');
    expect(record.result?.program).toMatchObject({ exitCode: 3, signal: null });
    for (const { t } of output) expect(t).toBeGreaterThan(0);
  });

  it('can be opened again as /dev/stdout and /dev/stderr', async () => {
    const program = await exec('echo a > /dev/stdout; echo b > /dev/stderr; cat', undefined);
    program.child.stdin!.end('from stdin');
    const { code, out, err } = await printed(program);
    expect([code, out.toString(), err]).toEqual([0, 'a\nfrom stdin', 'b\n']);
  });

  it('keeps its order where stdout and stderr are the same file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'verbslab-output-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = openSync(join(folder, 'log'), 'a');
    const program = await exec('for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done', [
      'pipe',
      file,
      file,
    ]);
    closeSync(file);
    expect((await printed(program)).code).toBe(0);
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `o${i}\ne${i}\n`).join('');
    expect(withoutPage(readFileSync(join(folder, 'log'), 'utf8'))).toBe(expected);
    expect(textOf((await program.run()).output, 'both')).toBe(expected);
  });

  it('is kept with its beginning and its end, and with how much is left out between', async () => {
    const bytes = 64 * 1024 * 1024;
    const program = await exec(`yes 0123456 | head -c ${bytes}; printf 'the end'; echo oops >&2; exit 5`);
    const hash = createHash('sha256');
    let length = 0;
    program.child.stdout!.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      length += chunk.length;
    });
    program.child.stderr!.resume();
    const [code] = (await once(program.child, 'close')) as [number | null];
    expect([code, length]).toEqual([5, bytes + 7]);
    const whole = createHash('sha256').update(Buffer.alloc(bytes, '0123456\n')).update('the end');
    expect(hash.digest('hex')).toBe(whole.digest('hex'));
    const { record, output } = await program.run();
    const of = output.filter(({ stream }) => stream === 'stdout');
    const leftOut = of.reduce((sum, one) => sum + (one.leftOut ?? 0), 0);
    const kept = of.reduce((sum, one) => sum + one.bytes, 0);
    expect(kept).toBe(2 * OUTPUT_KEPT_BYTES);
    expect(leftOut + kept).toBe(length);
    expect(of.filter((one) => one.leftOut !== undefined)).toHaveLength(1);
    expect(textOf(output, 'stdout').startsWith('0123456\n')).toBe(true);
    expect(textOf(output, 'stdout').endsWith('the end')).toBe(true);
    expect(textOf(output, 'stderr')).toBe('oops\n');
    expect(record.result?.program?.exitCode).toBe(5);
  });

  it('does not hold up the end when a process keeps the pipe, and what that prints still arrives', async () => {
    const go = 'until [ -e "$VERBSLAB_HOME/go" ]; do sleep 0.05; done';
    const program = await exec(`{ ${go}; echo late; } & echo early`);
    const text: Buffer[] = [];
    program.child.stdout!.on('data', (chunk: Buffer) => text.push(chunk));
    const closed = once(program.child, 'close');
    const [code] = (await once(program.child, 'exit')) as [number | null];
    expect(code).toBe(0);
    writeFileSync(join(program.home, 'go'), '');
    await closed;
    expect(Buffer.concat(text).toString()).toBe('early\nlate\n');
    expect(textOf((await program.run()).output, 'stdout')).toBe('early\n');
  });

  it('may end before the program: exit code and the rest of its output are kept', async () => {
    const program = await exec('exec >&-; echo "on stderr" >&2; exit 4');
    const { code, out, err } = await printed(program);
    expect([code, out.length, err]).toEqual([4, 0, 'on stderr\n']);
    expect((await program.run()).record.result?.program?.exitCode).toBe(4);
  });

  it('ends the program by SIGPIPE when its reader is gone', async () => {
    const program = await exec('exec yes');
    await once(program.child.stdout!, 'data');
    program.child.stdout!.destroy();
    program.child.stderr!.resume();
    expect((await program.run()).record.result?.program).toMatchObject({ exitCode: null, signal: 'SIGPIPE' });
  });

  it('waits for a slow reader, and the program with it', async () => {
    const program = await exec('head -c 4194304 /dev/zero; echo done > "$VERBSLAB_HOME/done"');
    const done = (): boolean => {
      try {
        return readFileSync(join(program.home, 'done'), 'utf8') !== '';
      } catch {
        return false;
      }
    };
    // The reader takes nothing until the program has printed all it can.
    await once(program.child.stdout!, 'readable');
    expect(done()).toBe(false);
    const { code, out } = await printed(program);
    expect([code, out.length, done()]).toEqual([0, 4_194_304, true]);
  });

  it('is printed by `verbslab runs show`, with how the program ended', async () => {
    const program = await exec('echo out; echo err >&2; exit 9');
    await printed(program);
    const { record } = await program.run();
    const env = { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: program.home };
    const command = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(process.execPath, [verbslab, 'runs', ...args], { env })).stdout;
    expect(await command('show', '1')).toMatch(/exit code 9[^]*Output\nstdout out\nstderr err\n/);
    const json = JSON.parse(await command('show', record.id, '--json')) as {
      run: RunRecord;
      output: Output[];
    };
    expect(json.run.result?.program).toMatchObject({ exitCode: 9 });
    expect(json.output.map(({ stream, text }) => [stream, text])).toEqual([
      ['stdout', 'out\n'],
      ['stderr', 'err\n'],
    ]);
    expect(await command()).toMatch(/failed.* 9 +\d{4}-/);
    await expect(command('show', '77')).rejects.toMatchObject({
      stderr: expect.stringContaining('77') as string,
    });
  });

  it('dies of the signal of its program', async () => {
    const program = await exec('echo last words; kill -SEGV $$');
    const { signal, out } = await printed(program);
    expect([signal, out.toString()]).toEqual(['SIGSEGV', 'last words\n']);
    const { record, output } = await program.run();
    expect(record.result?.program).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
    expect(textOf(output, 'stdout')).toBe('last words\n');
  });
});
