/**
 * Starters and solutions of the workbench under `verbslab exec`: each compiles and runs, no starter solves its task,
 * and every solution does. RECORD_WORKBENCH=1 keeps what the C programs did for the tests of packages/labs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTask, TASKS, type Recorded, type WorkbenchTask } from '@verbslab/labs/workbench';
import { decodeHeader } from '@verbslab/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { exec } from './helpers/exec.js';

const LABS = fileURLToPath(new URL('../../../packages/labs/', import.meta.url));
const RECORDINGS = join(LABS, 'test/recordings/workbench');
const PARTS = ['starter', 'solution'] as const;
type Part = (typeof PARTS)[number];

const compiler =
  spawnSync('cc', ['-E', '-include', 'infiniband/verbs.h', '-x', 'c', '/dev/null']).status === 0;
if (!compiler)
  console.warn('cc or infiniband/verbs.h is missing: C programs of the workbench are not tested');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verbslab-workbench-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compiled(task: WorkbenchTask, part: Part): string[] {
  const place = join(folder, task.id, part);
  mkdirSync(place, { recursive: true });
  const [source, program] = [join(place, 'main.c'), join(place, `${task.id}-${part}`)];
  writeFileSync(source, task[part].c);
  execFileSync('cc', ['-g', '-O1', '-Wall', '-Wextra', '-Werror', '-o', program, source, '-libverbs']);
  return [program];
}

const interpreted = (task: WorkbenchTask, part: Part): string[] => [
  ...[process.execPath, '--import', 'tsx'],
  join(LABS, 'src/workbench', task.id, 'code', `${part}.ts`),
];

/** Runs the programs one after the other under one command, and gives what the run recorded of each. */
async function recordedOf(programs: readonly string[][]): Promise<Recorded[][]> {
  const home = newHome();
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const script = programs.map((words) => words.map((word) => `'${word}'`).join(' ')).join(' && ');
  const { code, err } = await exec(home, ['sh', '-c', script], [], null).ended;
  expect(code, err).toBe(0);
  const { runs } = await recorder.client.request('run.list', {});
  await recorder.client.request('run.subscribe', { runId: runs[0]!.id, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  const { events, frames } = recorder;
  const processes = events.filter((event) => event.kind === 'endpoint').sort((x, y) => x.t - y.t);
  return processes.map(({ role }) => {
    const own = events.filter(({ endpoint }) => endpoint === role);
    const sources = own.flatMap((event) => (event.kind === 'source' ? [event.source] : []));
    return [...own, ...frames.filter((frame) => sources.includes(decodeHeader(frame).source))];
  });
}

const KEPT = new Set(['endpoint', 'object', 'qp', 'verb', 'wr', 'finding']);

function record(name: string, items: readonly Recorded[]): void {
  const lines = items.flatMap((item) => {
    if (!(item instanceof Uint8Array))
      return KEPT.has(item.kind) ? [JSON.stringify(item).replaceAll(folder, '')] : [];
    const { kind } = decodeHeader(item);
    const kept = kind === 'completions' || kind === 'packets';
    return kept ? [JSON.stringify({ frame: Buffer.from(item).toString('base64') })] : [];
  });
  mkdirSync(RECORDINGS, { recursive: true });
  writeFileSync(join(RECORDINGS, `${name}.jsonl`), `${lines.join('\n')}\n`);
}

describe.each([
  { language: 'c', commandOf: compiled, able: compiler },
  { language: 'typescript', commandOf: interpreted, able: true },
])('the tasks of the workbench in $language', ({ language, commandOf, able }) => {
  it.skipIf(!able)('are solved by every solution and by no starter', { timeout: 1_200_000 }, async () => {
    const programs = TASKS.flatMap((task) => PARTS.map((part) => ({ task, part })));
    const recorded = await recordedOf(programs.map(({ task, part }) => commandOf(task, part)));
    expect(recorded).toHaveLength(programs.length);
    programs.forEach(({ task, part }, i) => {
      const items = recorded[i]!;
      const wanted = part === 'solution' || task.id === 'clean-up';
      if (process.env['RECORD_WORKBENCH'] && language === 'c' && wanted) record(`${task.id}-${part}`, items);
      const failed = checkTask(task.id, items).filter(({ passed }) => !passed);
      if (part === 'solution') expect(failed, task.id).toEqual([]);
      else expect(failed.length, task.id).toBeGreaterThan(1);
    });
  });
});
