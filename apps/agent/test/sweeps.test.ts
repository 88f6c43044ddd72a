import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { AppError, type DeviceInfo, type SweepPlan } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addressOf } from '../src/client/find.js';
import { homeAt } from '../src/config/home.js';
import { readState } from '../src/config/instance.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { brief, LABS, quick } from './helpers/labs.js';
import { helperProgram } from './helpers/programs.js';

const crashing = helperProgram('crash-agent');

const plan = (lab: string, counts: (number | string)[], repeat = 1): SweepPlan => ({
  lab,
  params: {},
  axes: [{ param: 'count', scale: 'list' }],
  points: counts.map((count) => ({ count })),
  repeat,
});

const untilSweep = (recorder: Recorder, sweepId: string, state: string): Promise<void> =>
  recorder.untilMessage('sweep.changed', ({ sweep }) => sweep.id === sweepId && sweep.state === state);

const untilRun = (recorder: Recorder, sweepId: string, runs: number): Promise<void> =>
  recorder.until(
    () =>
      new Set(
        recorder.messages.flatMap((one) =>
          one.type === 'run.changed' && one.run.state === 'running' && one.run.sweep?.id === sweepId
            ? [one.run.id]
            : [],
        ),
      ).size === runs,
  );

describe('a sweep', () => {
  it('measures each point once per round, in alternating order, as ordinary runs', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { sweep } = await recorder.client.request('sweep.start', plan('quick', [1, 2, 3], 2));
    await untilSweep(recorder, sweep.id, 'done');
    const { measurements, sweep: ended } = await recorder.client.request('sweep.get', { sweepId: sweep.id });
    expect(ended).toMatchObject({ state: 'done', measured: 6, total: 6, runId: null, error: null });
    expect(measurements.map(({ point, round }) => [round, point])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 2],
      [1, 1],
      [1, 0],
    ]);
    expect(measurements[0]).toMatchObject({
      state: 'done',
      figures: { 'tcp.goodput': 1, 'tcp.messages': 2 },
    });
    const { runs } = await recorder.client.request('run.list', {});
    expect(runs.map(({ parameters, sweep: of }) => [parameters.count, of?.id, of?.point])).toEqual(
      [...measurements].reverse().map(({ point }) => [point + 1, sweep.id, point]),
    );
    expect(recorder.messages.filter(({ type }) => type === 'sweep.measured')).toHaveLength(6);
  });

  it('starts nothing when a point is invalid, lacks a value, or there are too many runs', async () => {
    const narrow = {
      ...brief,
      description: { ...brief.description, id: 'narrow' },
      checkDevices: (params: unknown, [device]: readonly DeviceInfo[]): void => {
        if ((params as { count: number }).count <= device!.limits.maxQp) return;
        throw new AppError('BAD_PARAM', { param: 'count', detail: 'too many QPs', hint: 'Ask for fewer.' });
      },
    };
    const { agent } = await testAgent({ labs: [narrow, ...LABS] });
    const { client } = await Recorder.connect(agent);
    const refused = async (asked: SweepPlan, code: string): Promise<void> => {
      await expect(client.request('sweep.start', asked)).rejects.toMatchObject({ info: { code } });
    };
    await refused(plan('quick', [1, 'many']), 'BAD_PARAM');
    await refused({ ...plan('quick', [1]), points: [{}] }, 'BAD_PARAM');
    await refused(plan('quick', [1, 2], 400), 'LIMIT');
    await refused(plan('unheard-of', [1]), 'UNKNOWN_LAB');
    await refused({ ...plan('quick', [1]), device: 'mlx5_7' }, 'UNKNOWN_DEVICE');
    await refused({ ...plan('brief', [1]), endpoints: { server: 'nowhere/test0' } }, 'UNKNOWN_HOST');
    await refused({ ...plan('brief', [1]), endpoints: { third: 'test0' } }, 'USAGE');
    await refused(plan('narrow', [1, 2]), 'BAD_PARAM');
    expect((await client.request('sweep.list', {})).sweeps).toEqual([]);
    expect((await client.request('run.list', {})).runs).toEqual([]);
  });

  it('keeps a point that fails with its reason, and goes on', async () => {
    const picky = {
      ...quick,
      run: async (ctx: Parameters<typeof quick.run>[0]) => {
        if ((ctx.params as { count: number }).count === 2)
          throw new AppError('BAD_HANDLE', { what: 'QP', handle: 2 });
        await quick.run(ctx);
      },
    };
    const { agent } = await testAgent({ labs: [picky, ...LABS.filter((one) => one !== quick)] });
    const recorder = await Recorder.connect(agent);
    const { sweep } = await recorder.client.request('sweep.start', plan('quick', [1, 2, 3]));
    await untilSweep(recorder, sweep.id, 'done');
    const { measurements } = await recorder.client.request('sweep.get', { sweepId: sweep.id });
    expect(measurements.map(({ state, error }) => [state, error?.code])).toEqual([
      ['done', undefined],
      ['failed', 'BAD_HANDLE'],
      ['done', undefined],
    ]);
    const all = await recorder.client.request('sweep.start', plan('failing', [1, 2]));
    await untilSweep(recorder, all.sweep.id, 'failed');
  });

  it('keeps other runs out, queues another sweep, pauses, resumes and cancels', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { client } = recorder;
    const { sweep } = await client.request('sweep.start', plan('endless', [1, 2, 3]));
    const sweepId = sweep.id;
    await untilRun(recorder, sweepId, 1);
    const next = (await client.request('sweep.start', plan('quick', [1]))).sweep;
    expect(next.state).toBe('queued');
    expect((await client.request('sweep.pause', { sweepId })).sweep.state).toBe('paused');
    await expect(client.request('sweep.pause', { sweepId })).rejects.toMatchObject({
      info: { code: 'SWEEP_STATE' },
    });
    // The run in progress goes on; when it has ended, the sweep that waits has its turn.
    const { runId } = (await client.request('sweep.get', { sweepId })).sweep;
    await client.request('run.cancel', { runId: runId! });
    await untilSweep(recorder, next.id, 'done');
    const kept = await client.request('sweep.get', { sweepId });
    expect(kept.sweep).toMatchObject({ state: 'paused', measured: 1 });
    expect(kept.measurements[0]).toMatchObject({ state: 'cancelled', runId });

    await client.request('sweep.resume', { sweepId });
    await untilRun(recorder, sweepId, 2);
    await expect(
      client.request('run.start', { lab: 'quick', params: {}, mode: 'all' }),
    ).rejects.toMatchObject({ info: { code: 'RUN_BUSY' } });
    const cancelled = await client.request('sweep.cancel', { sweepId });
    expect(cancelled.sweep).toMatchObject({ state: 'cancelled', measured: 2 });
    await client.request('run.start', { lab: 'quick', params: {}, mode: 'all' });
  });

  it('is interrupted when the agent is killed, and shows what it had measured', async () => {
    const home = newHome();
    const child = spawn(process.execPath, [crashing], {
      env: { ...process.env, VERBSLAB_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(createInterface({ input: child.stdout }), 'line');
    const at = homeAt(home);
    const recorder = await Recorder.connect({ address: addressOf(readState(at)!, at) });
    const { sweep } = await recorder.client.request('sweep.start', plan('endless', [1, 2]));
    await untilRun(recorder, sweep.id, 1);
    const { runId } = (await recorder.client.request('sweep.get', { sweepId: sweep.id })).sweep;
    await recorder.client.request('run.cancel', { runId: runId! });
    await untilRun(recorder, sweep.id, 2);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;

    const { agent } = await testAgent({ home });
    const next = await Recorder.connect(agent);
    const found = await next.client.request('sweep.get', { sweepId: sweep.id });
    expect(found.sweep).toMatchObject({ state: 'interrupted', error: { code: 'INTERRUPTED' } });
    expect(found.measurements).toMatchObject([{ point: 0, state: 'cancelled', runId }]);
    const { runs } = await next.client.request('run.list', {});
    expect(runs[0]).toMatchObject({ state: 'interrupted', sweep: { id: sweep.id, point: 1 } });
    await next.start('quick');
  });
});

it('a sweep that cannot be read hides no other, and keeps the agent from nothing', async () => {
  const home = newHome();
  const first = await testAgent({ home });
  const recorder = await Recorder.connect(first.agent);
  const ids: string[] = [];
  for (const count of [1, 2]) {
    const { sweep } = await recorder.client.request('sweep.start', plan('quick', [count]));
    ids.push(sweep.id);
    await untilSweep(recorder, sweep.id, 'done');
  }
  await first.agent.close();
  const raw = new Database(homeAt(home).database);
  raw.prepare("update sweeps set plan_json = '{', state = 'running' where id = ?").run(ids[0]);
  raw.close();
  const { agent } = await testAgent({ home });
  const again = await Recorder.connect(agent);
  const list = await again.client.request('sweep.list', {});
  expect(list.sweeps.map(({ id }) => id)).toEqual([ids[1]]);
  expect(list.sweeps[0]).toMatchObject({ measured: 1, total: 1 });
  expect(list.unreadable).toMatchObject([{ id: ids[0], number: 1 }]);
  await expect(again.client.request('sweep.get', { sweepId: ids[0]! })).rejects.toMatchObject({
    info: { code: 'SWEEP_UNREADABLE' },
  });
});
