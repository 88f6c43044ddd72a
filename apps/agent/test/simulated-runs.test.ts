/** What becomes of a simulated run: its exports, its reports, its copy on another host, a comparison, an agent that is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findLab } from '@verbslab/labs';
import type { RunEvent, RunEventOf, RunRecord } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Agent } from '../src/agent.js';
import { addressOf } from '../src/client/find.js';
import { homeAt } from '../src/config/home.js';
import { readState } from '../src/config/instance.js';
import { FLUSH_MS } from '../src/store/stream.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { bundleOf, exported } from './helpers/bundles.js';
import { verbslab } from './helpers/cli.js';
import { helperProgram } from './helpers/programs.js';

const lab = findLab('go-back-0-livelock');
/** Five message sizes, two simulations each. */
const SMALL = { largest: 262_144, duration: 2 };

async function recorded(home: string, ...runs: object[]) {
  const { agent } = await testAgent({ home, labs: [lab] });
  const records: RunRecord[] = [];
  for (const params of runs) {
    const recorder = await Recorder.connect(agent);
    const id = await recorder.start(lab.description.id, params as Record<string, number>);
    await recorder.untilMessage('run.complete');
    const { run } = await recorder.client.request('run.get', { runId: id });
    expect(run.state).toBe('done');
    records.push(run);
  }
  return { agent, records };
}

async function replayed(agent: Agent, runId: string): Promise<{ run: RunRecord; events: RunEvent[] }> {
  const recorder = await Recorder.connect(agent);
  await recorder.client.request('run.subscribe', { runId, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  const { run } = await recorder.client.request('run.get', { runId });
  return { run, events: recorder.events };
}

const simulationsOf = (events: readonly RunEvent[]): RunEventOf<'simulation'>[] =>
  events.filter((event): event is RunEventOf<'simulation'> => event.kind === 'simulation');

describe('a simulated run', () => {
  it('is the same in its exports and, imported, on another host', async () => {
    const [there, here] = [newHome(), newHome()];
    const { agent: a, records } = await recorded(there, SMALL);
    const [original] = records as [RunRecord];
    const { events } = await replayed(a, original.id);
    const simulations = simulationsOf(events);
    expect(simulations).toHaveLength(10);
    const lines = (await exported(a, original.id, 'jsonl')).toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(events);
    const trace = JSON.parse((await exported(a, original.id, 'trace')).toString()) as { otherData: object };
    expect(trace.otherData).toMatchObject({ run: original.id, lab: lab.description.id });

    const file = join(there, 'run.vlrun');
    writeFileSync(file, await bundleOf(a, original.id));
    const { agent: b } = await testAgent({ home: here, labs: [lab] });
    const imported = await verbslab(here, ['runs', 'import', file]);
    expect(imported.code, imported.err).toBe(0);
    const [copied] = (await (await Recorder.connect(b)).client.request('run.list', {})).runs;
    const copy = await replayed(b, copied!.id);
    expect(simulationsOf(copy.events)).toEqual(simulations);
    const { results, checks, provider, device, answer } = original.result!;
    expect(copy.run.result).toMatchObject({ results, checks, provider, device, answer });
    expect([provider, device]).toEqual(['simulated', 'vlsim']);
    expect(copy.run.imported).toMatchObject({ runId: original.id });
    expect(await exported(b, copied!.id, 'csv')).toEqual(await exported(a, original.id, 'csv'));
  });

  it('has no capture to export, and a report with its answer, figures and checks, labeled as simulated', async () => {
    const home = newHome();
    const { agent, records } = await recorded(home, SMALL);
    const { id, result } = records[0]!;
    await expect(exported(agent, id, 'pcapng')).rejects.toThrow('no packet capture');
    const md = (await verbslab(home, ['runs', 'report', '1', '--format', 'md'])).out.replaceAll(
      '\u00a0',
      ' ',
    );
    const html = (await verbslab(home, ['runs', 'report', '1'])).out;
    expect(md).toContain(result!.answer!);
    expect(html).toContain('badge simulated');
    expect(html).toContain('<svg');
    for (const { text } of lab.description.checks) expect(md).toContain(text);
    const rows = result!.results!.tables.sizes!;
    expect(rows).toHaveLength(10);
    expect(md.match(/^\| [\d.]+ KiB \| Go-back-[0N] \|/gim)).toHaveLength(10);
    expect(md).toMatch(/simulated/i);
    expect(md).not.toContain('NaN');
    expect(md).not.toContain('undefined');
    const { run } = JSON.parse((await verbslab(home, ['runs', 'show', '1', '--json'])).out) as {
      run: RunRecord;
    };
    expect(run.result).toEqual(result);
  });

  it('is compared with another by its parameters and figures', async () => {
    const home = newHome();
    const { records } = await recorded(home, SMALL, { ...SMALL, every: 1024 });
    const printed = await verbslab(home, ['runs', 'compare', '1', '2', '--json']);
    expect(printed.code, printed.err).toBe(0);
    const { differences, figures } = JSON.parse(printed.out) as {
      differences: { id: string; values: string[]; differs: boolean }[];
      figures: { name: string; figures: { value: number }[] }[];
    };
    expect(differences.filter(({ differs }) => differs)).toMatchObject([
      { id: 'param.every', values: ['256', '1,024'] },
    ]);
    expect(differences.find(({ id }) => id === 'provider')!.values).toEqual(['simulated', 'simulated']);
    for (const name of ['zero', 'back-n', 'limit'])
      expect(figures.find((one) => one.name === name)!.figures.map(({ value }) => value)).toEqual(
        records.map(({ result }) => result!.results!.figures[name]!.value),
      );
    const text = (await verbslab(home, ['runs', 'compare', '1', '2'])).out.replaceAll('\u00a0', ' ');
    expect(text).toMatch(/^every +256 +1,024$/m);
    expect(text).toMatch(/^Largest message that it can complete +968 KiB +3\.95 MiB/m);
  });
});

/** The simulators that a process runs, and their ids after its end. */
const simulatorsOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, program, rest] = /^\d+ \((.*)\) (.*)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))!;
        return program === 'vlsim' && rest!.split(' ')[1] === String(pid) ? [Number(name)] : [];
      } catch {
        return [];
      }
    });

it('a simulated run is interrupted when its agent is killed, keeps what it had, and its simulator ends', async () => {
  const home = newHome();
  const child = spawn(process.execPath, [helperProgram('crash-agent')], {
    env: { ...process.env, VERBSLAB_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout }), 'line');
  const at = homeAt(home);
  const recorder = await Recorder.connect({ address: addressOf(readState(at)!, at) });
  const runId = await recorder.start('simulating');
  // Everything that is older than a flush is in the history.
  await recorder.until(() => {
    const [first] = simulationsOf(recorder.events);
    return first !== undefined && recorder.events.at(-1)!.t - first.t > (FLUSH_MS + 2000) * 1e6;
  });
  const simulators = simulatorsOf(child.pid!);
  expect(simulators).toHaveLength(1);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await vi.waitFor(() => expect(simulators.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), 30_000);

  const { agent } = await testAgent({ home });
  const { run, events } = await replayed(agent, runId);
  expect(run).toMatchObject({ state: 'interrupted', error: { code: 'INTERRUPTED' } });
  const [first, ...more] = simulationsOf(events);
  expect(more).toEqual([]);
  expect(first).toEqual(simulationsOf(recorder.events)[0]);
  expect(first).toMatchObject({ title: 'first', result: { flows_finished: 2 } });
  expect(events.filter(({ kind }) => kind === 'check')).toHaveLength(1);
  const shown = await verbslab(home, ['runs', 'show', runId]);
  expect(shown.out).toContain('interrupted');
  const report = await verbslab(home, ['runs', 'report', runId, '--format', 'md']);
  expect(report.code, report.err).toBe(0);
});
