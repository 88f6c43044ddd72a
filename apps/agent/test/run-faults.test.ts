/** Faults that a person injects into a run in progress, and replays. */
import { decodeHeader, decodePackets, faultsText, type Faults, type RunEventOf } from '@verbslab/protocol';
import { LABS } from '@verbslab/labs';
import { CNP_OPCODE, LinkType, summarizePacket } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { injectedInto, plannedFaults } from '../src/cli/planned-faults.js';
import { DeviceList } from '../src/devices/list.js';
import { spawnEndpoint } from '../src/endpoint/index.js';
import { Recorder, testAgent } from './helpers/agent.js';
import { puppets } from './helpers/endpoint.js';

const LONG: Faults = { shaping: { delayUs: 5_000 } };
const MARKED: Faults = { ...LONG, rates: { mark: 1 } };
const THERE_AND_BACK_NS = 10e6;

async function realAgent() {
  const { agent } = await testAgent({ labs: LABS, spawn: spawnEndpoint, devices: new DeviceList() });
  return { agent, recorder: await Recorder.connect(agent) };
}

const injected = (recorder: Recorder) =>
  recorder.events.filter((event): event is RunEventOf<'faults'> => event.kind === 'faults');

/** Times from the post of each work request to its ACK, ns. */
const roundTrips = (recorder: Recorder): number[] =>
  recorder.events.flatMap((event) =>
    event.kind === 'wr' && event.acked !== null ? [event.acked - event.posted] : [],
  );

/** Packets of this opcode in the run's capture. */
const captured = (recorder: Recorder, opcode: number) =>
  recorder.frames
    .filter((frame) => decodeHeader(frame).kind === 'packets')
    .flatMap((frame) => decodePackets(frame))
    .filter(({ bytes }) => summarizePacket(bytes, LinkType.RAW).opcode === opcode);

describe('faults', () => {
  it('act on a run in progress, stand in its stream, and are injected again into another', async () => {
    const { agent, recorder } = await realAgent();
    const { client } = recorder;
    const runId = await recorder.start('minimal-flow', {}, 'step');
    await recorder.untilMessage('run.changed', ({ run }) => run.waitingFor !== null);
    // The run waits for its next step, and this does not wait for the run.
    const { endpoints } = await client.request('run.faults', { runId, faults: MARKED });
    expect(endpoints.toSorted()).toEqual(['client', 'server']);
    await client.request('run.faults', {
      runId,
      endpoint: 'server',
      faults: { ...LONG, rates: { duplicate: 1, seed: '0x7' } },
    });
    await client.request('run.step', { runId, go: 'all' });
    await recorder.untilMessage('run.complete');
    const { run } = await client.request('run.get', { runId });
    expect(run.state).toBe('done');
    expect(injected(recorder).map(({ endpoint, ...faults }) => [endpoint, faultsText(faults)])).toEqual([
      expect.arrayContaining(['100 % marked (ECN), 5 ms delay']),
      expect.arrayContaining(['100 % marked (ECN), 5 ms delay']),
      ['server', '100 % duplicates, 5 ms delay'],
    ]);
    const slow = roundTrips(recorder);
    expect(slow.length).toBeGreaterThan(0);
    for (const ns of slow) expect(ns).toBeGreaterThanOrEqual(THERE_AND_BACK_NS);
    // The marks went through the device: who got a marked packet says so.
    expect(captured(recorder, CNP_OPCODE).length).toBeGreaterThan(0);

    const plan = await plannedFaults({ replayFaults: String(run.number) }, (name) =>
      injectedInto(client, agent.address, name),
    );
    expect(plan.map(({ endpoint }) => endpoint)).toEqual(injected(recorder).map(({ endpoint }) => endpoint));
    const again = await Recorder.connect(agent);
    const replayed = await again.client.request('run.start', {
      ...{ lab: 'minimal-flow', params: {}, mode: 'step' },
      faults: plan.map((planned) => ({ ...planned, at: 0 })),
    });
    await again.client.request('run.subscribe', { runId: replayed.run.id, fromSeq: 1 });
    await again.until(() => injected(again).length === plan.length);
    expect(injected(again).map(({ endpoint }) => endpoint)).toEqual(plan.map(({ endpoint }) => endpoint));
    await again.client.request('run.cancel', { runId: replayed.run.id });
  });

  it('are injected at their time, and refused for an unknown endpoint', async () => {
    const { recorder } = await realAgent();
    const { run } = await recorder.client.request('run.start', {
      ...{ lab: 'minimal-flow', params: {}, mode: 'step' },
      faults: [
        { at: 0.3, endpoint: 'client', faults: LONG },
        { at: 0, faults: { rates: { drop: 0 } } },
      ],
    });
    await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
    await recorder.until(() => injected(recorder).length === 3);
    const began = recorder.events.find((e) => e.kind === 'run.state' && e.state === 'running')!.t;
    const last = injected(recorder).at(-1)!;
    expect(last.endpoint).toBe('client');
    expect(last.t - began).toBeGreaterThanOrEqual(0.3e9);
    await recorder.client.request('run.cancel', { runId: run.id });
    await expect(
      recorder.client.request('run.start', {
        ...{ lab: 'minimal-flow', params: {}, mode: 'step' },
        faults: [{ at: 0, endpoint: 'nobody', faults: LONG }],
      }),
    ).rejects.toMatchObject({
      info: { code: 'NO_FAULTS', message: expect.stringContaining('nobody') as string },
    });
    expect((await recorder.client.request('run.list', {})).runs).toHaveLength(1);
  });

  it('are refused with the reason', async () => {
    const { spawn } = puppets();
    const { agent } = await testAgent({
      spawn: async (options) => Object.assign(await spawn(options), { has: () => false }),
    });
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('waiting');
    await recorder.untilMessage('run.changed', ({ run }) => run.state === 'running');
    const ask = (endpoint?: string, faults: Faults = LONG) =>
      recorder.client.request('run.faults', { runId, ...(endpoint ? { endpoint } : {}), faults });
    await expect(ask()).rejects.toMatchObject({
      info: { code: 'NO_FAULTS', message: expect.stringContaining('test0 cannot inject them') as string },
    });
    await expect(ask('third')).rejects.toMatchObject({
      info: { code: 'NO_FAULTS', message: expect.stringContaining('no endpoint “third”') as string },
    });
    await expect(ask(undefined, { shaping: { delayUs: 1, jitterUs: 2 } })).rejects.toMatchObject({
      info: { code: 'BAD_MESSAGE' },
    });
    await recorder.client.request('run.cancel', { runId });
    await expect(ask()).rejects.toMatchObject({ info: { code: 'RUN_STATE' } });
  });
});
