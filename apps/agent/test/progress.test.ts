/** Progress with each lab, which the database keeps beyond runs, restarts and clients. */
import { minimalFlow } from '@verbslab/labs';
import { EXERCISES_LAB } from '@verbslab/protocol';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHome } from '../src/config/home.js';
import { RunStore } from '../src/store/store.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { LABS } from './helpers/labs.js';

const labs = [...LABS, minimalFlow];
const answer = { lab: 'minimal-flow', check: 'packets' };

/** Runs `quick` to its end, and waits until the run counts. */
async function runQuick(recorder: Recorder, runs: number): Promise<string> {
  const runId = await recorder.start('quick');
  await recorder.untilMessage('progress.changed', (m) =>
    m.labs.some((one) => one.lab === 'quick' && one.runs === runs),
  );
  return runId;
}

describe('progress', () => {
  it('counts runs that are done, and reaches every client', async () => {
    const { agent } = await testAgent();
    const [recorder, other] = [await Recorder.connect(agent), await Recorder.connect(agent)];
    expect((await recorder.client.request('progress.get', {})).labs).toEqual([]);
    await runQuick(recorder, 1);
    const runId = await runQuick(recorder, 2);
    await other.untilMessage('progress.changed', ({ labs: [one] }) => one?.runs === 2);
    const { endedAt } = (await recorder.client.request('run.get', { runId })).run;
    expect((await other.client.request('progress.get', {})).labs).toEqual([
      { lab: 'quick', runs: 2, lastRunAt: endedAt, checks: [] },
    ]);
  });

  it('does not count a run that was cancelled', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('waiting');
    await recorder.client.request('run.cancel', { runId });
    await runQuick(recorder, 1);
    expect((await recorder.client.request('progress.get', {})).labs.map(({ lab }) => lab)).toEqual(['quick']);
  });

  it('keeps a right answer right', async () => {
    const { agent } = await testAgent({ labs });
    const { client } = await Recorder.connect(agent);
    const say = async (right: boolean) =>
      (await client.request('progress.answer', { ...answer, right })).labs[0]?.checks[0];
    expect(await say(false)).toMatchObject({ id: 'packets', right: false });
    const right = await say(true);
    expect(right).toMatchObject({ id: 'packets', right: true });
    expect(await say(false)).toEqual(right);
  });

  it('keeps solved exercises beside the labs', async () => {
    const { agent } = await testAgent({ labs });
    const { client } = await Recorder.connect(agent);
    const solved = { lab: EXERCISES_LAB, check: 'translation-table', right: true };
    expect((await client.request('progress.answer', solved)).labs).toMatchObject([
      { lab: EXERCISES_LAB, runs: 0, checks: [{ id: 'translation-table', right: true }] },
    ]);
    await expect(client.request('progress.answer', { ...solved, check: 'none' })).rejects.toMatchObject({
      info: { code: 'BAD_MESSAGE' },
    });
  });

  it('refuses answers to what nothing asks', async () => {
    const { agent } = await testAgent({ labs });
    const { client } = await Recorder.connect(agent);
    const refused = (body: { lab: string; check: string }) =>
      expect(client.request('progress.answer', { ...body, right: true })).rejects;
    await refused({ ...answer, lab: 'none' }).toMatchObject({ info: { code: 'UNKNOWN_LAB' } });
    await refused({ ...answer, check: 'none' }).toMatchObject({
      info: { code: 'BAD_MESSAGE', message: expect.stringContaining('no self-check “none”') as string },
    });
    expect((await client.request('progress.get', {})).labs).toEqual([]);
  });

  it('survives the deletion of its runs and a restart, until it is reset', async () => {
    const home = newHome();
    const first = await testAgent({ home, labs });
    const recorder = await Recorder.connect(first.agent);
    const runId = await runQuick(recorder, 1);
    await recorder.client.request('run.delete', { runId });
    const before = (await recorder.client.request('progress.answer', { ...answer, right: true })).labs;
    expect(before.map(({ lab }) => lab)).toEqual(['minimal-flow', 'quick']);
    await first.agent.close();

    const { agent } = await testAgent({ home, labs });
    const again = await Recorder.connect(agent);
    expect((await again.client.request('progress.get', {})).labs).toEqual(before);
    expect((await again.client.request('progress.reset', {})).labs).toEqual([]);
    await again.untilMessage('progress.changed', (m) => m.labs.length === 0);
  });

  it('begins with the runs of a history that was written without it', () => {
    const home = openHome(newHome());
    const old = RunStore.open(home);
    const record = { title: 'X', mode: 'all', device: null, parameters: {} } as const;
    const made = ['quick', 'quick', 'program', 'other'].map((lab) => old.create({ lab, ...record }));
    old.close();
    const raw = new Database(home.database);
    for (const [i, { id }] of made.entries())
      raw
        .prepare('update runs set state = ?, ended_at = ? where id = ?')
        .run(i < 3 ? 'done' : 'failed', 1000 + i, id);
    raw.exec("drop table lab_runs; drop table self_checks; delete from kysely_migration where name >= '003'");
    raw.exec('drop table measurements; drop table sweeps; alter table runs drop column sweep_json');
    raw.exec('drop table notes; drop table run_tags');
    for (const column of ['imported', 'clock', 'parts', 'part_of'])
      raw.exec(`alter table runs drop column ${column}_json`);
    raw.close();
    const store = RunStore.open(home);
    onTestFinished(() => store.close());
    expect(store.progress.list()).toEqual([{ lab: 'quick', runs: 2, lastRunAt: 1001, checks: [] }]);
  });
});
