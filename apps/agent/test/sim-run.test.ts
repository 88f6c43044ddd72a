/** `verbslab sim` with an agent: the simulation is a run, live, cancelled, interrupted, compared, exported and run again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isFinal, type RunEventOf, type RunRecord } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../src/agent.js';
import { addressOf } from '../src/client/find.js';
import { homeAt } from '../src/config/home.js';
import { readState } from '../src/config/instance.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab } from './helpers/cli.js';
import { bin } from './helpers/exec.js';
import { helperProgram } from './helpers/programs.js';

/** A scenario that does not end within a test, with samples. */
const ENDLESS = ['loss', '--set', 'duration_us=100000000', '--set', 'sample_us=1000'];

async function withAgent(): Promise<{ home: string; agent: Agent; recorder: Recorder }> {
  const home = newHome();
  const { agent } = await testAgent({ home });
  return { home, agent, recorder: await Recorder.connect(agent) };
}

async function onlyRun(recorder: Recorder): Promise<RunRecord> {
  const { runs } = await recorder.client.request('run.list', { limit: 10 });
  expect(runs).toHaveLength(1);
  return runs[0]!;
}

async function simulationsOf(recorder: Recorder, runId: string): Promise<RunEventOf<'simulation'>[]> {
  recorder.events.length = 0;
  recorder.messages.length = 0;
  await recorder.client.request('run.subscribe', { runId, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  return recorder.events.filter((event) => event.kind === 'simulation');
}

interface Command {
  child: ChildProcess;
  /** What it has printed on stderr so far. */
  said: () => string;
  ended: Promise<{ code: number | null; signal: string | null; out: string; err: string }>;
}

/** The command as a process of its own, for signals. */
function sim(home: string, args: string[], cwd = home): Command {
  const child = spawn(process.execPath, [bin, 'sim', ...args], {
    env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    ...{ code: code as number | null, signal: signal as string | null, out, err },
  }));
  return { child, said: () => err, ended };
}

/** Resolves with the run of a simulation once the run has part of its series. */
async function going(recorder: Recorder): Promise<string> {
  await recorder.untilMessage('run.changed', ({ run }) => run.lab === 'simulation');
  const { id } = await onlyRun(recorder);
  await recorder.client.request('run.subscribe', { runId: id, fromSeq: 1 });
  await recorder.until(() =>
    recorder.events.some((event) => event.kind === 'simulation' && (event.series?.us.length ?? 0) > 1),
  );
  return id;
}

async function finished(recorder: Recorder, runId: string): Promise<RunRecord> {
  await recorder.untilMessage('run.changed', ({ run }) => run.id === runId && isFinal(run.state));
  return (await recorder.client.request('run.get', { runId })).run;
}

describe('verbslab sim with an agent', () => {
  it('is a run with its name, seed, changes, figures and series', async () => {
    const { home, agent, recorder } = await withAgent();
    const { code, out, err } = await verbslab(home, ['sim', 'incast', '--set', 'hosts=9', '--seed', '7']);
    expect(code, err).toBe(0);
    expect(out).toContain('goodput');
    const run = await onlyRun(recorder);
    expect(err).toBe(`verbslab: Run ${run.number}: ${agent.url}/runs/view?id=${run.id}\n`);
    expect(run).toMatchObject({
      lab: 'simulation',
      title: 'Simulation: incast',
      state: 'done',
      parameters: { scenario: 'incast', seed: 7, 'topology.hosts': 9 },
      result: {
        provider: 'simulated',
        device: 'vlsim',
        problems: 0,
        answer: expect.stringMatching(/^9\d\.\d Gb\/s .* 8 flows finished\.$/) as string,
      },
    });
    const { figures, tables } = run.result!.results!;
    const [event, ...others] = (await simulationsOf(recorder, run.id)).filter(({ running }) => !running);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      title: '',
      scenario: { name: 'incast', seed: 7, topology: { hosts: 9 } },
      fabric: { hosts: 9 },
      slowdown: { flows: 8 },
    });
    expect(figures.goodput?.value).toBe(event!.result!.goodput_gbps);
    expect(tables.mechanisms).toHaveLength(event!.mechanisms.length);
    expect(event!.series!.us.length).toBeGreaterThan(10);
    // Without the agent, the same scenario is the same simulation.
    const alone = await verbslab(home, [
      ...['sim', 'incast', '--set', 'hosts=9', '--seed', '7', '--no-agent', '--json'],
    ]);
    expect(alone.err).toBe('');
    expect((JSON.parse(alone.out) as { result: unknown }).result).toMatchObject(event!.result!);
    await onlyRun(recorder);
  });

  it('is not counted as a lab that was run', async () => {
    const { home, recorder } = await withAgent();
    await verbslab(home, ['sim', 'go-back-0']);
    const { labs } = await recorder.client.request('progress.get', {});
    expect(labs).toEqual([]);
  });

  it('is shown, reported, compared, exported and imported as all other runs', async () => {
    const { home, recorder } = await withAgent();
    await verbslab(home, ['sim', 'loss']);
    await verbslab(home, ['sim', 'loss', '--set', 'loss=0.02']);
    const list = await verbslab(home, ['runs', '--lab', 'simulation']);
    expect(list.out).toMatch(/Simulation: loss +done .*Goodput, all hosts: [\d.]+\u00a0Gb\/s/);
    const shown = await verbslab(home, ['runs', 'show', '2']);
    expect(shown.out).toContain('link.loss=0.02');
    expect(shown.out).toContain('Goodput, all hosts');
    expect(shown.out).toContain('What acted, and what did not');
    const compared = await verbslab(home, ['runs', 'compare', '1', '2']);
    expect(compared.out).toContain('link.loss');
    expect(compared.out).toContain('Goodput, all hosts');
    expect(compared.out).not.toContain('different labs');
    const file = join(home, 'run.vlrun');
    const reported = join(home, 'run.md');
    expect((await verbslab(home, ['runs', 'report', '2', '--out', reported])).code).toBe(0);
    expect(readFileSync(reported, 'utf8')).toMatch(/Goodput, all hosts/);
    const exported = await verbslab(home, ['runs', 'export', '2', '--format', 'bundle', '--out', file]);
    expect(exported.code, exported.err).toBe(0);
    const there = newHome();
    const { agent } = await testAgent({ home: there });
    const imported = await verbslab(there, ['runs', 'import', file]);
    expect(imported.code, imported.err).toBe(0);
    const other = await Recorder.connect(agent);
    const { id, number } = await onlyRun(other);
    const [own, copy] = [
      await simulationsOf(recorder, (await recorder.client.request('run.list', { limit: 1 })).runs[0]!.id),
      await simulationsOf(other, id),
    ];
    expect(copy).toEqual(own);
    // The other agent runs it again from what it was sent.
    const again = await verbslab(there, ['sim', '--from', String(number), '--json', '--no-agent']);
    expect(JSON.parse(again.out)).toMatchObject({ result: own.at(-1)!.result });
  });

  it('gives its scenario back, of a file too, and runs it again with changes', async () => {
    const { home, recorder } = await withAgent();
    const scenario = { duration_us: 500, sample_us: 50, traffic: [{ kind: 'flow', from: 0, to: 1 }] };
    writeFileSync(join(home, 'mine.json'), JSON.stringify(scenario));
    await verbslab(home, ['sim', join(home, 'mine.json'), '--set', 'mtu=1024']);
    const changed = { ...scenario, transport: { mtu: 1024 } };
    expect(await onlyRun(recorder)).toMatchObject({
      title: 'Simulation: mine.json',
      parameters: { file: 'mine.json', seed: 1, duration_us: 500, 'traffic.0.kind': 'flow' },
    });
    const shown = await verbslab(home, ['sim', '--from', '1', '--show']);
    expect(JSON.parse(shown.out)).toEqual(changed);
    await verbslab(home, ['sim', '--from', '1', '--seed', '3']);
    const { runs } = await recorder.client.request('run.list', { limit: 1 });
    expect(runs[0]).toMatchObject({ number: 2, parameters: { file: 'run 1', seed: 3 } });
  });

  it('says what it does not keep of a scenario longer than 64 KiB', async () => {
    const { home, recorder } = await withAgent();
    const traffic = [{ kind: 'flow', from: 0, to: 1, bytes: 4096 }];
    const long = { name: 'long '.repeat(15_000), duration_us: 100, traffic };
    writeFileSync(join(home, 'long.json'), JSON.stringify(long));
    const { code, err } = await verbslab(home, ['sim', join(home, 'long.json')]);
    expect(code, err).toBe(0);
    expect(err).toContain('a run keeps at most 64 KiB. Keep the file to run it again.');
    const run = await onlyRun(recorder);
    expect(run.result!.notes).toMatchObject([
      { text: expect.stringContaining('at most 64 KiB: this run is without it') as string },
    ]);
    expect(run.title).toHaveLength('Simulation: '.length + 100);
    for (const { scenario } of await simulationsOf(recorder, run.id)) expect(scenario).toBeNull();
    const again = await verbslab(home, ['sim', '--from', '1']);
    expect(again.code).toBe(2);
    expect(again.err).toMatch(/Run 1 has no scenario to run: .*64 KiB/);
  });

  it('leaves no run of a scenario that is refused', async () => {
    const { home, recorder } = await withAgent();
    const { code, err } = await verbslab(home, ['sim', 'incast', '--set', 'hosts=0']);
    expect(code).toBe(2);
    expect(err).toContain('topology.hosts must be from 1');
    expect(err).not.toContain('Run ');
    expect((await recorder.client.request('run.list', { limit: 1 })).runs).toEqual([]);
  });

  it.each([
    [['--from', '1'], /no run/],
    [['incast', '--from', '1'], /contradict each other/],
  ])('refuses %j', async (args, why) => {
    const { home } = await withAgent();
    const { code, err } = await verbslab(home, ['sim', ...args]);
    expect(code).not.toBe(0);
    expect(err).toMatch(why);
  });

  it('is cancelled by Ctrl-C, keeps what was simulated, and writes files where the user is', async () => {
    const { home, recorder } = await withAgent();
    const { child, ended } = sim(home, [...ENDLESS, '--series', 'samples.jsonl', '--json']);
    const id = await going(recorder);
    // At a terminal, the simulator gets the signal of the group as well.
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(err).toMatch(
      /Cancelled after [\d,]+ µs of virtual time\. Run 1 keeps what was simulated until then\./,
    );
    expect(JSON.parse(out)).toMatchObject({ scenario: { hosts: 2 }, result: null });
    const run = await finished(recorder, id);
    expect(run).toMatchObject({ state: 'cancelled', result: { provider: 'simulated' } });
    const last = (await simulationsOf(recorder, id)).at(-1)!;
    expect(last).toMatchObject({ result: null, mechanisms: [], fabric: { hosts: 2 } });
    expect(last.running).toBeUndefined();
    const lines = readFileSync(join(home, 'samples.jsonl'), 'utf8').trim().split('\n');
    expect(last.series!.samples).toBe(lines.length);
  });

  it('is cancelled on its page, and says so in the terminal', async () => {
    const { home, recorder } = await withAgent();
    const { ended } = sim(home, ENDLESS);
    const runId = await going(recorder);
    const { run } = await recorder.client.request('run.cancel', { runId });
    expect(run).toMatchObject({ state: 'cancelled', error: { code: 'CANCELLED' } });
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toContain('Cancelled after');
  });

  it('tells its progress at most twice a second', async () => {
    const { home, recorder } = await withAgent();
    const { child, said, ended } = sim(home, ENDLESS);
    await going(recorder);
    const told = () => recorder.events.filter((event) => event.kind === 'progress');
    await recorder.until(() => told().length >= 4);
    const all = told();
    for (const { text } of all)
      expect(text).toMatch(/^[\d,]+ of 100,000,000 µs of virtual time, [\d,]+ packet events\/s$/);
    expect(all.at(-1)!.fraction).toBeGreaterThan(all[0]!.fraction);
    // The clock of the run is that of the agent: messages may come closer together than they were sent.
    expect((all[3]!.t - all[0]!.t) / 1e9).toBeGreaterThan(1);
    // Without a terminal, the command prints a line now and then.
    await recorder.until(() => said().includes(' %  '));
    expect(said()).toMatch(/^› \d+ % {2}[\d,]+ of 100,000,000 µs of virtual time, [\d,]+ packet events\/s$/m);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(130);
  });

  it('is interrupted when the command is killed', async () => {
    const { home, recorder } = await withAgent();
    const { child } = sim(home, ENDLESS);
    const id = await going(recorder);
    child.kill('SIGKILL');
    expect(await finished(recorder, id)).toMatchObject({
      state: 'interrupted',
      error: { code: 'SIMULATION_LOST' },
    });
    expect((await simulationsOf(recorder, id)).at(-1)!.series).not.toBeNull();
  });

  it('goes on without the agent when that is killed, whose successor finds the run interrupted', async () => {
    const home = newHome();
    const agent = spawn(process.execPath, [helperProgram('crash-agent')], {
      env: { ...process.env, VERBSLAB_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void agent.kill('SIGKILL'));
    await once(createInterface({ input: agent.stdout }), 'line');
    const at = homeAt(home);
    const recorder = await Recorder.connect({ address: addressOf(readState(at)!, at) });
    const { child, ended } = sim(home, ENDLESS);
    const runId = await going(recorder);
    // A second part of the series has been flushed by then.
    await recorder.until(() => recorder.events.filter(({ kind }) => kind === 'simulation').length > 3);
    const exit = once(agent, 'exit');
    agent.kill('SIGKILL');
    await exit;
    child.kill('SIGTERM');
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toContain('This simulation is not kept as a run');
    const next = await Recorder.connect((await testAgent({ home })).agent);
    const { run } = await next.client.request('run.get', { runId });
    expect(run).toMatchObject({
      state: 'interrupted',
      error: { code: 'INTERRUPTED' },
      result: { provider: 'simulated', device: 'vlsim' },
    });
    const last = (await simulationsOf(next, runId)).at(-1)!;
    expect(last).toMatchObject({ running: true, scenario: { name: 'loss' } });
    expect(last.series!.us.length).toBeGreaterThan(1);
  });

  it('takes reports from the connection that started the run alone', async () => {
    const { home, agent, recorder } = await withAgent();
    const { child } = sim(home, ENDLESS);
    const runId = await going(recorder);
    const other = await Recorder.connect(agent);
    const simulation = { fabric: null, series: null, mechanisms: [], slowdown: null, result: null };
    await expect(
      other.client.request('simulation.end', { runId, simulation, error: null }),
    ).rejects.toMatchObject({ code: 'NOT_FED' });
    await expect(
      other.client.request('run.faults', { runId, faults: { rates: { drop: 0.5 } } }),
    ).rejects.toMatchObject({ code: 'NO_FAULTS' });
    child.kill('SIGTERM');
  });
});

describe('verbslab sim without an agent', () => {
  it('says in one line how to keep runs, but not beside JSON', async () => {
    const home = newHome();
    const { err } = await verbslab(home, ['sim', 'go-back-0']);
    expect(err).toMatch(/^verbslab: No agent is running, so this run is not kept\. .*`verbslab up`.*\n$/);
    for (const quiet of ['--json', '--no-agent'])
      expect((await verbslab(home, ['sim', 'go-back-0', quiet])).err).toBe('');
  });

  it('is cancelled by Ctrl-C with the exit code of other commands', async () => {
    const home = newHome();
    const { child, ended } = sim(home, [...ENDLESS, '--series', 'samples.jsonl']);
    const samples = () => {
      try {
        return readFileSync(join(home, 'samples.jsonl')).length;
      } catch {
        return 0;
      }
    };
    while (samples() === 0) await new Promise((resume) => setTimeout(resume, 10));
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toMatch(/^verbslab: Cancelled after [\d,.]+ µs of virtual time\.\n$/);
  });
});
