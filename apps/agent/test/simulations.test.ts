/** Runs of simulated labs: the real simulator, its record, its end by cancellation, and what is refused. */
import { readdirSync, readFileSync } from 'node:fs';
import { defineLab, type Lab } from '@verbslab/labs';
import type { LabContext, Scenario, Simulated, SimulatedSample } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SeriesCollector } from '../src/simulator/series.js';
import { Recorder, testAgent } from './helpers/agent.js';

const INCAST: Scenario = {
  duration_us: 100_000,
  until_done: true,
  sample_us: 10,
  topology: { kind: 'star', hosts: 12 },
  switch: { pfc: true },
  traffic: [{ kind: 'incast', to: 0, bytes: 1_000_000 }],
};
/** Never ends within a test. */
const ENDLESS: Scenario = {
  ...INCAST,
  until_done: false,
  duration_us: 1e8,
  sample_us: 100,
  traffic: [{ kind: 'incast', to: 0 }],
};

const labOf = (run: (ctx: LabContext<unknown>) => Promise<void>): Lab =>
  defineLab({
    id: 'fabric',
    title: 'A fabric',
    question: '',
    summary: '',
    short: '',
    why: '',
    buildsOn: [],
    track: 'fabrics',
    minutes: 1,
    params: z.object({}),
    roles: [],
    fabric: { text: '', tiers: [1], hosts: 12 },
    watch: [],
    checks: [],
    run,
  });

async function start(run: (ctx: LabContext<unknown>) => Promise<void>) {
  const { agent, opened } = await testAgent({ labs: [labOf(run)] });
  const recorder = await Recorder.connect(agent);
  const id = await recorder.start('fabric');
  const ended = async () => {
    await recorder.untilMessage('run.complete');
    return (await recorder.client.request('run.get', { runId: id })).run;
  };
  const simulations = () => recorder.events.filter((event) => event.kind === 'simulation');
  return { agent, opened, recorder, id, ended, simulations };
}

/** Simulators that this process runs. */
const simulators = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, name, rest] = /^\d+ \((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
        return name === 'vlsim' && rest!.split(' ')[1] === String(process.pid);
      } catch {
        return false;
      }
    });

describe('a simulated run', () => {
  it('takes no device, gives the lab everything, and keeps the simulation', async () => {
    let done: Simulated | undefined;
    const seen: number[] = [];
    const { ended, simulations, opened } = await start(async (ctx) => {
      done = await ctx.simulate(INCAST, { title: 'all at once', onTime: (us) => seen.push(us) });
      ctx.answer('It ended.');
    });
    const run = await ended();
    expect(run).toMatchObject({ state: 'done', result: { provider: 'simulated', device: 'vlsim' } });
    expect(run.result).toMatchObject({ endpoints: [], answer: 'It ended.', problems: 0 });
    expect(opened).toEqual([]);
    expect(done).toMatchObject({ scenario: { hosts: 12 }, result: { flows_finished: 11 } });
    expect(done!.flows).toHaveLength(11);
    expect(seen[0]).toBe(done!.samples[0]!.us);

    const [event] = simulations();
    expect(simulations()).toHaveLength(1);
    expect(event).toMatchObject({ title: 'all at once', scenario: INCAST, fabric: { hosts: 12 } });
    expect(event!.result!.trace).toBe(done!.result.trace);
    expect(event!.mechanisms.map(({ name }) => name)).toContain('pfc');
    const { series, slowdown } = event!;
    expect(slowdown!.flows).toBe(11);
    expect(slowdown!.p50).toBeGreaterThan(10);
    expect(slowdown!.p99).toBeGreaterThanOrEqual(slowdown!.p50);
    expect(series).toMatchObject({ samples: done!.samples.length, us: done!.samples.map(({ us }) => us) });
    expect(series!.received).toHaveLength(8);
    expect(series!.received[0]!.host).toBe(0);
    expect(series!.receivedByOthers!.hosts).toBe(4);
    // The queue towards the host that all write to.
    expect(series!.queues[0]).toMatchObject({ switch: 0, port: 0, class: 3 });
    expect(Math.max(...series!.queues[0]!.bytes)).toBeGreaterThan(500_000);
  });

  it('ends its simulator when it is cancelled, and keeps what there was', async () => {
    let after: unknown = null;
    const { recorder, id, ended, simulations } = await start(async (ctx) => {
      await ctx
        .simulate(ENDLESS, { onTime: (us) => ctx.progress(us / 1e8, 'simulating') })
        .catch((error: unknown) => {
          after = error;
          throw error;
        });
    });
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'progress'));
    expect(simulators()).toHaveLength(1);
    await recorder.client.request('run.cancel', { runId: id });
    expect(simulators()).toEqual([]);
    expect(await ended()).toMatchObject({ state: 'cancelled', result: { provider: 'simulated' } });
    expect(after).toMatchObject({ code: 'CANCELLED' });
    const [event] = simulations();
    expect(event).toMatchObject({ result: null, mechanisms: [], slowdown: null });
    expect(event!.series!.us.length).toBeGreaterThan(0);
  });

  it('fails with the simulator’s own sentence', async () => {
    const { ended, simulations } = await start(async (ctx) => {
      await ctx.simulate({ topology: { kind: 'star', hosts: -2 } });
    });
    const { state, error } = await ended();
    expect(state).toBe('failed');
    expect(error).toMatchObject({ code: 'SCENARIO_REFUSED' });
    expect(error!.message).toContain('topology.hosts');
    expect(simulations()).toEqual([]);
  });

  it('refuses more samples than a lab can hold, and ends the simulator', async () => {
    const { ended } = await start(async (ctx) => {
      await ctx.simulate({ ...ENDLESS, sample_us: 1, traffic: [] });
    });
    const { error } = await ended();
    expect(error).toMatchObject({ code: 'SCENARIO_REFUSED' });
    expect(error!.message).toContain('more than 100000 samples: raise sample_us');
    expect(simulators()).toEqual([]);
  });

  it('refuses a device and places', async () => {
    const { agent } = await testAgent({ labs: [labOf(() => Promise.resolve())] });
    const { client } = await Recorder.connect(agent);
    const refused = (asked: object) =>
      expect(client.request('run.start', { lab: 'fabric', params: {}, mode: 'all', ...asked })).rejects;
    await refused({ device: 'test0' }).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('takes no device') as string,
    });
    await refused({ endpoints: { client: 'local' } }).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('no endpoint “client”') as string,
    });
  });
});

describe('the series of a simulation', () => {
  const NOTHING = { marked: 0, drops: 0, pauses: 0, cnps: 0, naks: 0, timeouts: 0, retransmitted: 0 };
  const sample = (i: number): SimulatedSample => ({
    ...NOTHING,
    marked: i % 2,
    us: (i + 1) * 10,
    received_gbps: [100, i % 2 === 0 ? 10 : 30],
    queues: i === 500 ? [[0, 1, 3, 5000]] : [[0, 0, 3, 100]],
    paused: i === 700 ? [['host', 1, 0, 3]] : [],
  });

  it('is thinned, keeps means and peaks, and says how many samples there were', () => {
    const collector = new SeriesCollector();
    for (let i = 0; i < 1001; i++) collector.take(sample(i));
    const series = collector.series()!;
    expect(series.samples).toBe(1001);
    expect(series.us.length).toBeLessThanOrEqual(480);
    expect(series.us.length).toBeGreaterThan(200);
    expect(series.us.at(-1)).toBe(10_010);
    expect(series.received[1]!.gbps[0]).toBe(20);
    expect(series.queues.map(({ port }) => port)).toEqual([1, 0]);
    expect(Math.max(...series.queues[0]!.bytes)).toBe(5000);
    expect(series.paused.filter((count) => count > 0)).toEqual([1]);
    expect(Object.keys(series.events)).toEqual(['marked']);
    expect(series.events.marked!.reduce((sum, one) => sum + one, 0)).toBe(500);
  });

  it('sums what has no line of its own', () => {
    const collector = new SeriesCollector();
    collector.take({
      ...NOTHING,
      us: 10,
      received_gbps: Array.from({ length: 20 }, (_, host) => host),
      queues: Array.from({ length: 10 }, (_, port) => [0, port, 3, (port + 1) * 100]),
      paused: [],
    });
    const series = collector.series()!;
    expect(series.received.map(({ host }) => host)).toEqual([19, 18, 17, 16, 15, 14, 13, 12]);
    expect(series.receivedByOthers).toEqual({ hosts: 12, gbps: [66] });
    expect(series.otherQueues).toEqual({ queues: 2, bytes: [300] });
  });

  it('is nothing without samples', () => {
    expect(new SeriesCollector().series()).toBeNull();
  });
});
