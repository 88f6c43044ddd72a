/** Runs of an agent with a false peer, `b`. */
import type { AppError, ErrorInfo, Peer, RunRecord } from '@verbslab/protocol';
import type { Agent } from '../../src/agent.js';
import { Recorder, testAgent } from './agent.js';
import type { FalsePeer } from './false-peer.js';

/** The error of a request that fails. */
export const refusal = (promise: Promise<unknown>): Promise<ErrorInfo> =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => (error as AppError).info,
  );

/** An agent that is paired with a false one, `b`. */
export async function paired(peer: FalsePeer, known?: Agent): Promise<Recorder> {
  const agent = known ?? (await testAgent()).agent;
  const recorder = await Recorder.connect(agent);
  await recorder.client.request('peers.add', { join: peer.join, name: 'b' });
  return recorder;
}

/** An agent that refuses to pair with this peer, and its error. */
export async function refusedPairing(peer: FalsePeer): Promise<{ recorder: Recorder; error: ErrorInfo }> {
  const { agent } = await testAgent();
  const recorder = await Recorder.connect(agent);
  const added = recorder.client.request('peers.add', { join: peer.join, name: 'b' });
  return { recorder, error: await refusal(added) };
}

/** Starts a run whose endpoint of this role is at the peer, and subscribes to it. Returns the run's ID. */
export async function start(recorder: Recorder, role = 'server'): Promise<string> {
  const { run } = await recorder.client.request('run.start', {
    lab: 'waiting',
    params: {},
    mode: 'all',
    endpoints: { [role]: 'b' },
  });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  return run.id;
}

/** Starts a run and waits until its endpoints are open. */
export async function running(recorder: Recorder): Promise<string> {
  const runId = await start(recorder);
  await recorder.until(() =>
    recorder.events.some((event) => event.kind === 'note' && event.text === 'ready'),
  );
  return runId;
}

export async function ended(recorder: Recorder, runId: string): Promise<RunRecord> {
  await recorder.untilMessage('run.complete', (message) => message.runId === runId);
  return (await recorder.client.request('run.get', { runId })).run;
}

export const peers = async (recorder: Recorder): Promise<Peer[]> =>
  (await recorder.client.request('peers.list', {})).peers;
