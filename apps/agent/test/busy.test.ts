import { expect, it, onTestFinished } from 'vitest';
import { AgentClient } from '../src/client/client.js';
import { Recorder, testAgent, type TestAgent, peerAddress } from './helpers/agent.js';
import { falsePeer } from './helpers/false-peer.js';
import { refusal } from './helpers/paired.js';
import { eventually } from './endpoint-harness.js';

const start = (recorder: Recorder, lab = 'waiting'): Promise<unknown> =>
  recorder.client.request('run.start', { lab, params: {}, mode: 'all' });
const check = (recorder: Recorder): Promise<unknown> =>
  recorder.client.request('peers.check', { from: 'local', to: 'local' });
const open = { run: 'r', role: 'client', device: 'test0', clock: '0' };

async function peerOf({ agent }: TestAgent): Promise<AgentClient> {
  const { client } = await AgentClient.connect(peerAddress(agent), {}, { as: 'peer' });
  onTestFinished(() => client.close());
  return client;
}

it('a path check keeps runs, endpoints of others and a second check out until it has ended', async () => {
  const own = await testAgent();
  const recorder = await Recorder.connect(own.agent);
  const peer = await peerOf(own);
  // The endpoints of the check answer nothing, so the check continues until they die.
  const checked = check(recorder);
  await eventually('both endpoints are open', () => own.opened.length === 2);
  for (const error of await Promise.all(
    [start(recorder), check(recorder), peer.request('endpoint.open', open)].map(refusal),
  ))
    expect(error).toMatchObject({
      code: 'RUN_BUSY',
      message: expect.stringContaining('A path check') as string,
    });
  for (const { endpoint } of own.opened) endpoint.kill();
  await checked;
  await start(recorder, 'quick');
});

it('a run keeps a path check out, and is named as lists show it', async () => {
  const own = await testAgent();
  const recorder = await Recorder.connect(own.agent);
  const peer = await peerOf(own);
  const runId = await recorder.start('waiting');
  const { run } = await recorder.client.request('run.get', { runId });
  for (const error of await Promise.all(
    [check(recorder), start(recorder), peer.request('endpoint.open', open)].map(refusal),
  )) {
    expect(error.code).toBe('RUN_BUSY');
    expect(error.message).toContain(`Run ${run.number} (“${run.title}”)`);
  }
  await recorder.client.request('run.cancel', { runId });
});

it('endpoints for another agent are named by its host and its run', async () => {
  const own = await testAgent();
  const recorder = await Recorder.connect(own.agent);
  const peer = await peerOf(own);
  const of = { host: 'laptop', what: 'Run 12 (“Bulk transfer”)' };
  await peer.request('endpoint.open', { ...open, of });
  for (const error of await Promise.all(
    [start(recorder), check(recorder), peer.request('endpoint.open', { ...open, run: 'q' })].map(refusal),
  )) {
    expect(error.code).toBe('RUN_BUSY');
    expect(error.message).toContain('Run 12 (“Bulk transfer”) of the agent on “laptop”');
    expect(error.cure).toContain('“laptop”');
  }
});

it('a run gives the peer the number by which a person finds it', async () => {
  const peer = await falsePeer();
  const { agent } = await testAgent();
  const recorder = await Recorder.connect(agent);
  await recorder.client.request('peers.add', { join: peer.join, name: 'b' });
  const { run } = await recorder.client.request('run.start', {
    lab: 'waiting',
    params: {},
    mode: 'all',
    endpoints: { server: 'b' },
  });
  const opening = () => peer.heard.find(({ type }) => type === 'endpoint.open');
  await eventually('the endpoint is asked for', () => opening() !== undefined);
  const host = expect.stringMatching(/\S/) as string;
  expect(opening()).toMatchObject({ of: { host, what: `Run ${run.number} (“waiting”)` } });
  await recorder.client.request('run.cancel', { runId: run.id });
});
