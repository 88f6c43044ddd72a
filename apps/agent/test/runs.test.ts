import { existsSync } from 'node:fs';
import { isFinal, type RunEventOf, type RunState } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { DeviceList } from '../src/devices/list.js';
import { Recorder, testAgent } from './helpers/agent.js';
import { device } from './helpers/device.js';
import { puppets } from './helpers/endpoint.js';
import { slowness } from './helpers/slowness.js';

const states = (recorder: Recorder): RunState[] =>
  recorder.events
    .filter((event): event is RunEventOf<'run.state'> => event.kind === 'run.state')
    .map((event) => event.state);

/** True when no process has this id any more. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

describe('a run', () => {
  it('goes through its states, in a stream without a gap, and leaves a result', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('quick', { count: 5 });
    await recorder.untilMessage('run.complete');
    expect(states(recorder)).toEqual(['created', 'preparing', 'running', 'draining', 'done']);
    expect(recorder.events.map(({ seq }) => seq)).toEqual(recorder.events.map((_, index) => index + 1));
    expect(recorder.events.filter(({ kind }) => kind === 'note')).toHaveLength(5);
    const times = recorder.events.map(({ t }) => t);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    const { run } = await recorder.client.request('run.get', { runId });
    expect(run).toMatchObject({
      state: 'done',
      lab: 'quick',
      parameters: { count: 5 },
      lastSeq: recorder.events.length,
      error: null,
      capture: null,
      result: {
        lab: 'quick',
        state: 'done',
        provider: 'simulated',
        device: 'test0',
        parameters: { count: 5 },
        transports: { tcp: { goodputGbps: 1, messagesPerSecond: 2 } },
        checks: [{ id: 'counted', ok: true, detail: '5 notes' }],
        notes: Array.from({ length: 5 }, (_, i) => ({ text: `note ${i}` })),
        captureFile: null,
      },
    });
    const result = recorder.events.at(-2) as RunEventOf<'result'>;
    expect(result.result).toEqual(run.result);
  });

  it('is refused with the cure of the device when that cannot be used', async () => {
    const problem = { message: 'The address is in use (EADDRINUSE).', cure: 'Choose another address.' };
    const devices = new DeviceList(() =>
      Promise.resolve({ devices: [{ ...device, problem }], problems: [] }),
    );
    const { agent } = await testAgent({ devices });
    const recorder = await Recorder.connect(agent);
    await expect(recorder.start('quick')).rejects.toMatchObject({
      info: {
        code: 'DEVICE_UNUSABLE',
        message: 'The device “test0” cannot be used: The address is in use (EADDRINUSE).',
        cure: 'Choose another address.',
      },
    });
    expect((await recorder.client.request('run.list', {})).runs).toEqual([]);
  });

  it('says when the clock of another host drifted further than its bound', async () => {
    const { spawn } = puppets();
    const { agent } = await testAgent({
      spawn: async (options) => {
        const driftNs = options.name === 'server' ? -500_000 : 15_000;
        const drift = () => Promise.resolve({ driftNs, errorNs: 20_000 });
        return Object.assign(await spawn(options), { drift });
      },
    });
    const recorder = await Recorder.connect(agent);
    await recorder.start('brief');
    await recorder.untilMessage('run.complete');
    const notes = recorder.events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    expect(notes).toEqual([
      'done',
      expect.stringMatching(/times of the server are 500 µs too early/) as string,
    ]);
  });

  it('notifies all clients when it changes', async () => {
    const { agent } = await testAgent();
    const [one, other] = [await Recorder.connect(agent), await Recorder.connect(agent)];
    const runId = await one.start('quick');
    await other.untilMessage('run.changed', ({ run }) => run.id === runId && run.state === 'done');
    expect(other.messages.some((m) => m.type === 'run.changed' && m.run.progress?.text === 'half way')).toBe(
      true,
    );
  });

  it('continues when the tab that started it closes, and a new tab finds it', async () => {
    const { agent } = await testAgent();
    const tab = await Recorder.connect(agent);
    const runId = await tab.start('endless');
    await tab.until(() => tab.events.length > 20);
    await tab.client.close();
    const reloaded = await Recorder.connect(agent);
    const { run } = await reloaded.client.request('run.get', { runId });
    expect(run.state).toBe('running');
    await reloaded.client.request('run.subscribe', { runId, fromSeq: 11 });
    await reloaded.untilMessage('run.live');
    const seen = reloaded.events.length;
    await reloaded.until(() => reloaded.events.length > seen + 20);
    expect(reloaded.events.map(({ seq }) => seq)).toEqual(reloaded.events.map((_, index) => index + 11));
    await reloaded.client.request('run.cancel', { runId });
  });

  it('is cancelled within 200 ms, with its processes, and keeps what it has', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    for (const lab of ['endless', 'waiting', 'stubborn']) {
      const runId = await recorder.start(lab);
      await recorder.untilMessage('run.changed', ({ run }) => run.id === runId && run.state === 'running');
      const started = performance.now();
      const { run } = await recorder.client.request('run.cancel', { runId });
      const took = performance.now() - started;
      expect(took).toBeLessThan(200 * slowness());
      expect(run).toMatchObject({
        state: 'cancelled',
        error: { code: 'CANCELLED' },
        result: { state: 'cancelled' },
      });
      await recorder.untilMessage('run.complete', (message) => message.runId === runId);
      // Twice is fine; once it has ended otherwise it is not.
      expect((await recorder.client.request('run.cancel', { runId })).run.state).toBe('cancelled');
    }
    expect(opened).toHaveLength(4);
    for (const { endpoint } of opened) expect(isGone(endpoint.pid)).toBe(true);
    const done = await recorder.start('quick');
    await recorder.untilMessage('run.complete', (message) => message.runId === done);
    await expect(recorder.client.request('run.cancel', { runId: done })).rejects.toMatchObject({
      code: 'RUN_STATE',
    });
  });

  it('fails with an explanation when the lab fails, and the agent lives', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const expected = { failing: 'BAD_HANDLE', broken: 'INTERNAL' };
    for (const [lab, code] of Object.entries(expected)) {
      const runId = await recorder.start(lab);
      await recorder.untilMessage('run.complete', (message) => message.runId === runId);
      const { run } = await recorder.client.request('run.get', { runId });
      expect(run).toMatchObject({ state: 'failed', error: { code }, result: { state: 'failed' } });
    }
    expect(states(recorder).at(-1)).toBe('failed');
  });

  it('fails with an explanation when an endpoint dies, and takes the others with it', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    for (const lab of ['waiting', 'stubborn']) {
      const before = opened.length;
      const runId = await recorder.start(lab);
      await recorder.untilMessage('run.changed', ({ run }) => run.id === runId && run.state === 'running');
      const [first, second] = opened.slice(before);
      process.kill(first!.endpoint.pid, 'SIGKILL');
      await recorder.untilMessage('run.complete', (message) => message.runId === runId);
      const { run } = await recorder.client.request('run.get', { runId });
      expect(run).toMatchObject({ state: 'failed', error: { code: 'ENDPOINT_DIED' } });
      expect(run.error?.message).toMatch(/“client” ended unexpectedly \(.*SIGKILL\)/);
      await second!.endpoint.exited;
    }
  });

  it('goes on without an endpoint that its lab kills', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('killing');
    await recorder.untilMessage('run.complete');
    const { run } = await recorder.client.request('run.get', { runId });
    expect(run).toMatchObject({ state: 'done', error: null });
    expect(run.result?.notes?.map(({ text }) => text)).toEqual([
      'The run killed the process of the client (SIGKILL).',
      'the client: ENDPOINT_DIED',
    ]);
    const exits = await Promise.all(opened.map(({ endpoint }) => endpoint.exited));
    expect(exits.map(({ signal }) => signal)).toEqual(['SIGKILL', null]);
  });

  it('fails when an endpoint cannot be opened', async () => {
    const { agent } = await testAgent({
      spawn: () => Promise.reject(new Error('no such luck')),
    });
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('waiting');
    await recorder.untilMessage('run.complete');
    const { run } = await recorder.client.request('run.get', { runId });
    expect(run).toMatchObject({ state: 'failed', startedAt: null });
    expect(run.error?.message).toContain('no such luck');
  });

  it('is alone while it measures', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('endless');
    await expect(recorder.start('quick')).rejects.toMatchObject({ code: 'RUN_BUSY' });
    await expect(recorder.client.request('run.delete', { runId })).rejects.toMatchObject({
      code: 'RUN_STATE',
    });
    await recorder.client.request('run.cancel', { runId });
    await recorder.start('quick');
  });

  it('is interrupted when the agent is stopped', async () => {
    const first = await testAgent();
    const recorder = await Recorder.connect(first.agent);
    const runId = await recorder.start('waiting');
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'note'));
    await first.agent.close();
    for (const { endpoint } of first.opened) expect(isGone(endpoint.pid)).toBe(true);
    const { agent } = await testAgent({ home: first.agent.home.path });
    const next = await Recorder.connect(agent);
    const { run } = await next.client.request('run.get', { runId });
    expect(run).toMatchObject({ state: 'interrupted', error: { code: 'INTERRUPTED' } });
  });
});

describe('step by step', () => {
  it('a run waits before each step until it is told to continue', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('stepwise', {}, 'step');
    const steps = (): string[] =>
      recorder.events
        .filter((event): event is RunEventOf<'step'> => event.kind === 'step')
        .map(({ id, phase }) => `${id} ${phase}`);
    await recorder.untilMessage('run.changed', ({ run }) => run.waitingFor === 'one');
    expect(steps()).toEqual([]);
    // A waiting run does not block others.
    const other = await recorder.start('quick');
    await recorder.untilMessage('run.complete', (message) => message.runId === other);
    await recorder.client.request('run.step', { runId, go: 'next' });
    await recorder.untilMessage('run.changed', ({ run }) => run.waitingFor === 'two');
    await recorder.until(() => steps().length === 2);
    expect(steps()).toEqual(['one begin', 'one end']);
    await recorder.client.request('run.step', { runId, go: 'all' });
    await recorder.untilMessage('run.complete', (message) => message.runId === runId);
    expect(steps()).toEqual(['one', 'two', 'three'].flatMap((id) => [`${id} begin`, `${id} end`]));
    await expect(recorder.client.request('run.step', { runId, go: 'next' })).rejects.toMatchObject({
      code: 'RUN_STATE',
    });
  });

  it('is cancelled while it waits', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('stepwise', {}, 'step');
    await recorder.untilMessage('run.changed', ({ run }) => run.waitingFor === 'one');
    // No step can be done any more.
    expect((await recorder.client.request('run.cancel', { runId })).run).toMatchObject({
      state: 'cancelled',
      waitingFor: null,
    });
    await recorder.untilMessage('run.changed', ({ run }) => isFinal(run.state) && run.waitingFor === null);
  });
});

describe('the history', () => {
  it('lists runs newest first, in pages, and forgets what is deleted', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const runId = await recorder.start('quick', { count });
      await recorder.untilMessage('run.complete', (message) => message.runId === runId);
      ids.unshift(runId);
    }
    const page = await recorder.client.request('run.list', { limit: 3 });
    expect(page.runs.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(page.more).toBe(true);
    expect(page.runs.every(({ state, result }) => isFinal(state) && result?.transports.tcp)).toBe(true);
    const rest = await recorder.client.request('run.list', { before: page.runs.at(-1)!.number });
    expect(rest.runs.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(rest.more).toBe(false);
    expect((await recorder.client.request('run.list', { lab: 'endless' })).runs).toEqual([]);
    await recorder.client.request('run.delete', { runId: ids[0]! });
    await recorder.untilMessage('run.removed', ({ runId }) => runId === ids[0]);
    await expect(recorder.client.request('run.get', { runId: ids[0]! })).rejects.toMatchObject({
      code: 'UNKNOWN_RUN',
    });
    expect((await recorder.client.request('run.list', {})).runs).toHaveLength(4);
  });

  it('serves a run over HTTP', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('quick');
    await recorder.untilMessage('run.complete');
    const headers = { authorization: `Bearer ${agent.token}` };
    const answer = await fetch(`${agent.url}/api/runs/${runId}`, { headers });
    expect(await answer.json()).toMatchObject({ id: runId, state: 'done' });
    const whole = await fetch(`${agent.url}/api/runs/${runId}.json`, { headers });
    expect(await whole.json()).toMatchObject({ format: 1, run: { id: runId }, events: recorder.events });
    const capture = await fetch(`${agent.url}/api/runs/${runId}/capture.pcapng`, { headers });
    expect(capture.status).toBe(404);
    expect(await capture.json()).toMatchObject({ error: { code: 'NO_CAPTURE' } });
    expect(existsSync(agent.home.database)).toBe(true);
  });
});

describe('the history', () => {
  it('keeps the latest runs and reports to clients which it deleted', async () => {
    const { agent } = await testAgent({ keep: { runs: 3, bytes: 0 } });
    const recorder = await Recorder.connect(agent);
    const waiting = await recorder.start('stepwise', {}, 'step');
    await recorder.untilMessage('run.changed', ({ run }) => run.waitingFor !== null);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(await recorder.start('quick'));
      await recorder.untilMessage('run.complete', ({ runId }) => runId === ids.at(-1));
    }
    await recorder.untilMessage('run.removed', ({ runId }) => runId === ids[1]);
    const removed = recorder.messages.flatMap((m) => (m.type === 'run.removed' ? [m.runId] : []));
    expect(removed).toEqual(ids.slice(0, 2));
    const { runs } = await recorder.client.request('run.list', {});
    expect(runs.map(({ id }) => id)).toEqual([...ids.slice(2).reverse(), waiting]);
  });
});
