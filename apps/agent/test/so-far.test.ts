import {
  encodeHistogram,
  encodeSeries,
  FRAME_FLAGS,
  LatencyHistogram,
  SERIES_FIELDS,
  type RunEvent,
  type RunRecord,
  type SeriesRecord,
} from '@verbslab/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { report } from '../src/cli/report.js';
import { runsText } from '../src/cli/runs.js';
import { openHome } from '../src/config/home.js';
import { interruptUnfinished } from '../src/runs/recover.js';
import { RunStore } from '../src/store/store.js';
import { RunStream } from '../src/store/stream.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import type { Puppet } from './helpers/endpoint.js';
import { encodedSamples } from './helpers/histogram.js';

const SOURCE = 1;
const none = Object.fromEntries(SERIES_FIELDS.map((field) => [field, 0])) as SeriesRecord;

/** A record of 100 ms at 1 Gb/s, or with the given values. */
const series = (values: Partial<SeriesRecord> = {}, flags = 0): Uint8Array =>
  encodeSeries({ source: SOURCE, t: 0, flags }, [
    { ...none, nicNs: NaN, intervalNs: 100e6, bytes: 12_500_000, messages: 10, appNs: 25e6, ...values },
  ]);

const histogram = (ns: number, count: number, flags = 0): Uint8Array =>
  encodeHistogram({ source: SOURCE, t: 0, flags }, encodedSamples(ns, count));

/** Frames of a loop: 300 ms that count after 100 ms of warm-up. */
const FRAMES = [
  series({ bytes: 99_000_000 }, FRAME_FLAGS.omitted),
  histogram(2000, 500, FRAME_FLAGS.omitted),
  series(),
  histogram(1000, 60),
  series({ bytes: 0 }),
  encodeHistogram({ source: SOURCE, t: 0 }, new Uint8Array(50)),
  series({ bytes: 37_500_000 }),
  histogram(1500, 40),
];

const FIGURES = {
  partial: true,
  goodputGbps: (50_000_000 * 8) / 300e6,
  messagesPerSecond: 100,
  cpuSecondsPerGB: { app: 1.5, nic: null, kernel: 0 },
  latencyUs: LatencyHistogram.of([
    [1000, 60],
    [1500, 40],
  ]).us(),
  bytes: 50_000_000,
  messages: 30,
};

async function measuring(): Promise<{ recorder: Recorder; runId: string; client: Puppet }> {
  const { agent, opened } = await testAgent();
  const recorder = await Recorder.connect(agent);
  const runId = await recorder.start('waiting');
  await recorder.until(() => recorder.events.some(({ kind }) => kind === 'source'));
  const client = opened.find(({ options }) => options.name === 'client')!;
  for (const frame of FRAMES) client.options.onFrame(frame);
  return { recorder, runId, client };
}

describe('the figures of a run that ended early', () => {
  it('come from its samples when it was cancelled', async () => {
    const { recorder, runId } = await measuring();
    const { run } = await recorder.client.request('run.cancel', { runId });
    expect(run.state).toBe('cancelled');
    expect(run.result!.transports).toMatchObject({ rdma: FIGURES });
    expect(run.result!.transports.rdma!.latencyUs).toMatchObject({ n: 100, p50: 1, p90: 1.5, p99: null });
    await recorder.untilMessage('run.complete');
    const told = recorder.events.find(
      (event): event is RunEvent & { kind: 'result' } => event.kind === 'result',
    );
    expect(told?.result.transports).toEqual(run.result!.transports);
    const timed = { ...run, startedAt: run.createdAt, endedAt: run.createdAt + 3100 };
    expect(report(timed, run.result!)).toContain(
      'Partial figures: they cover the run until it was cancelled after 3.10 s.',
    );
    const [head, units, row, note] = runsText([timed]).split('\n');
    expect(head).toMatch(/Started \(UTC\) +RDMA$/);
    expect(units).toMatch(/^ +Gb\/s$/);
    expect(row).toMatch(/cancelled .* 1\.33\*$/);
    expect(note).toBe('* The run ended early: the figure covers the time until then.');
  });

  it('come from its samples when it failed', async () => {
    const { recorder, runId, client } = await measuring();
    client.endpoint.kill();
    await recorder.untilMessage('run.complete');
    const { run } = await recorder.client.request('run.get', { runId });
    expect(run).toMatchObject({ state: 'failed', result: { transports: { rdma: FIGURES } } });
  });

  it('are absent where only the warm-up was measured, and whole where the run is done', async () => {
    const { agent, opened } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('waiting');
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'source'));
    opened.find(({ options }) => options.name === 'client')!.options.onFrame(FRAMES[0]!);
    expect((await recorder.client.request('run.cancel', { runId })).run.result!.transports).toEqual({});
    const done = await recorder.start('quick');
    await recorder.untilMessage('run.changed', ({ run }) => run.id === done && run.state === 'done');
    const { run } = await recorder.client.request('run.get', { runId: done });
    expect(run.result!.transports.tcp).not.toHaveProperty('partial');
  });

  it('come from its samples when the agent was killed, and the run ends with its last sign', () => {
    const home = openHome(newHome());
    const killed = RunStore.open(home);
    const created = killed.create({
      lab: 'bulk',
      title: 'Bulk',
      mode: 'all',
      device: 'uroce0, vm1/rxe0',
      parameters: { size: 1 },
    });
    const record: RunRecord = { ...created, state: 'running', startedAt: created.createdAt };
    killed.save(record);
    const stream = new RunStream({ store: killed, run: record.number, now: () => 20e6 });
    stream.append({ kind: 'endpoint', role: 'server', device: 'rxe0', providerClass: 'kernel', host: 'vm1' });
    stream.append({ kind: 'endpoint', role: 'client', device: 'uroce0', providerClass: 'user-space' });
    stream.append({
      kind: 'source',
      source: SOURCE,
      transport: 'rdma',
      role: 'client',
      what: 'loop',
      label: 'RDMA',
    });
    for (const frame of FRAMES) stream.appendFrame(frame);
    stream.append({ kind: 'check', id: 'bytes-equal', ok: false, detail: 'They differ.' });
    stream.flush();
    killed.close();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const store = RunStore.open(home);
    onTestFinished(() => store.close());
    expect(interruptUnfinished(store)).toHaveLength(1);
    const run = store.get(record.id)!;
    expect(run.endedAt! - run.startedAt!).toBe(20);
    expect(run.result).toMatchObject({
      state: 'interrupted',
      provider: 'user-space',
      device: 'uroce0',
      endpoints: [
        { role: 'server', host: 'vm1', device: 'rxe0', providerClass: 'kernel' },
        { role: 'client', host: 'local', device: 'uroce0', providerClass: 'user-space' },
      ],
      parameters: { size: 1 },
      transports: { rdma: FIGURES },
      checks: [{ id: 'bytes-equal', ok: false, detail: 'They differ.' }],
      problems: 1,
      captureFile: null,
      error: { code: 'INTERRUPTED' },
    });
  });
});
