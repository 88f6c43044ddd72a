import type { AppError } from '@verbslab/protocol';
import { encodeHistogram, isFinal, type ErrorInfo, type Peer, type RunRecord } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Recorder, testAgent } from './helpers/agent.js';
import { ENDPOINT, falsePeer, type FalsePeer } from './helpers/false-peer.js';

const refusal = (promise: Promise<unknown>): Promise<ErrorInfo> =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => (error as AppError).info,
  );

/** An agent that is paired with a false one, `b`. */
async function paired(peer: FalsePeer): Promise<Recorder> {
  const { agent } = await testAgent();
  const recorder = await Recorder.connect(agent);
  await recorder.client.request('peers.add', { join: peer.join, name: 'b' });
  return recorder;
}

async function start(recorder: Recorder): Promise<string> {
  const { run } = await recorder.client.request('run.start', {
    lab: 'waiting',
    params: {},
    mode: 'all',
    endpoints: { server: 'b' },
  });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  return run.id;
}

/** The run once its endpoints are open. */
async function running(recorder: Recorder): Promise<string> {
  const runId = await start(recorder);
  await recorder.until(() =>
    recorder.events.some((event) => event.kind === 'note' && event.text === 'ready'),
  );
  return runId;
}

async function ended(recorder: Recorder, runId: string): Promise<RunRecord> {
  await recorder.untilMessage('run.complete', (message) => message.runId === runId);
  return (await recorder.client.request('run.get', { runId })).run;
}

const peers = async (recorder: Recorder): Promise<Peer[]> =>
  (await recorder.client.request('peers.list', {})).peers;

describe('a peer of another version', () => {
  it('is refused when it speaks another protocol, with both versions and the cure', async () => {
    const peer = await falsePeer(({ type }) =>
      type === 'hello' ? { type: 'welcome', protocol: 99, everything: 'else is new, too' } : undefined,
    );
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const error = await refusal(recorder.client.request('peers.add', { join: peer.join, name: 'b' }));
    expect(error.code).toBe('AGENT_PROTOCOL');
    expect(error.message).toContain('protocol 99');
    expect(error.message).toContain('protocol 1');
    expect(error.cure).toContain('same version');
    expect(await peers(recorder)).toEqual([]);
    expect(peer.heard.map(({ type }) => type)).toEqual(['hello']);
  });

  it('may use error codes that this one does not know', async () => {
    const peer = await falsePeer(({ type }) =>
      type === 'endpoint.open'
        ? { type: 'error', code: 'FUTURE_CODE', message: 'The flux is too high.', cure: 'Lower it.' }
        : undefined,
    );
    const recorder = await paired(peer);
    const run = await ended(recorder, await start(recorder));
    expect(run).toMatchObject({
      state: 'failed',
      error: { code: 'FUTURE_CODE', message: 'The flux is too high.', cure: 'Lower it.' },
    });
    // Kept as it came, and nothing else suffers from it.
    const { runs } = await recorder.client.request('run.list', {});
    expect(runs[0]).toMatchObject({ id: run.id, error: { code: 'FUTURE_CODE' } });
    expect((await peers(recorder))[0]?.state).toBe('up');
  });

  it('may report events and send messages that this one does not know', async () => {
    const peer = await falsePeer();
    const recorder = await paired(peer);
    const runId = await running(recorder);
    const say = (message: object): void => peer.socket!.send(JSON.stringify(message));
    say({ type: 'endpoint.mood', endpoint: ENDPOINT, mood: 'good' });
    say({
      type: 'endpoint.events',
      endpoint: ENDPOINT,
      events: [{ kind: 'flux', t: 5, level: 7, endpoint: 'client', seq: 1 }],
    });
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'unknown'));
    const event = recorder.events.find(({ kind }) => kind === 'unknown');
    expect(event).toMatchObject({
      kind: 'unknown',
      of: 'flux',
      t: 5,
      values: { level: 7 },
      endpoint: 'server',
    });
    expect(event?.seq).toBeGreaterThan(1);
    await recorder.client.request('run.cancel', { runId });
    expect((await ended(recorder, runId)).state).toBe('cancelled');
  });
});

describe('a hostile peer', () => {
  const forged: [string, object][] = [
    ['run.state', { state: 'done' }],
    ['check', { id: 'bytes-equal', ok: true, detail: 'all of them' }],
    ['result', { result: {} }],
    ['source', { source: 9, transport: 'rdma', role: 'client', what: 'loop', label: 'mine' }],
    ['endpoint', { role: 'client', device: 'fake0', providerClass: 'hardware' }],
    ['step', { phase: 'end', id: 'one', index: 0, ok: true }],
    ['progress', { fraction: 1, text: 'done', secondsLeft: 0 }],
    ['dropped', { what: 'packets', records: 5, reason: 'limit' }],
  ];
  it.each(forged)('cannot report a %s event', async (kind, body) => {
    const peer = await falsePeer();
    const recorder = await paired(peer);
    const runId = await running(recorder);
    const events = [{ kind, t: 987_654_321, ...body }];
    peer.socket!.send(JSON.stringify({ type: 'endpoint.events', endpoint: ENDPOINT, events }));
    const run = await ended(recorder, runId);
    expect(run.state).toBe('failed');
    expect(run.error?.message).toContain(`may not report a “${kind}” event`);
    expect(recorder.events.filter(({ t }) => t === 987_654_321)).toEqual([]);
  });

  const broken: [string, (peer: FalsePeer) => void][] = [
    ['a frame that is none', ({ socket }) => socket!.send(Buffer.from('nonsense'), { binary: true })],
    ['text that is no JSON', ({ socket }) => socket!.send('{')],
    ['JSON that is nested too deep', ({ socket }) => socket!.send('['.repeat(5000) + ']'.repeat(5000))],
    ['JSON that is no message', ({ socket }) => socket!.send('null')],
    [
      'events that are none',
      ({ socket }) =>
        socket!.send(
          JSON.stringify({ type: 'endpoint.events', endpoint: ENDPOINT, events: [{ kind: 'qp', t: 0 }] }),
        ),
    ],
    [
      'an exit with an error that is none',
      ({ socket }) =>
        socket!.send(
          JSON.stringify({
            type: 'endpoint.exited',
            endpoint: ENDPOINT,
            code: 0,
            signal: null,
            error: { code: 7 },
          }),
        ),
    ],
    [
      'a frame of another endpoint’s source',
      ({ socket }) => socket!.send(encodeHistogram({ source: 1, t: 0 }, new Uint8Array(8)), { binary: true }),
    ],
  ];
  it.each(broken)('that sends %s loses that connection, and no other', async (_, say) => {
    const peer = await falsePeer();
    const recorder = await paired(peer);
    const runId = await running(recorder);
    say(peer);
    const run = await ended(recorder, runId);
    expect(run.state).toBe('failed');
    expect(run.error?.message).toMatch(/it sent|frame of source 1/);
    expect(recorder.frames).toEqual([]);
    expect((await peers(recorder))[0]?.state).toBe('up');
    // The agent and the other connections go on.
    expect((await ended(recorder, await start(await again(recorder)))).state).toBe('failed');
    expect(recorder.closed).toBe(false);
  });

  /** The next open at this peer fails at once. */
  async function again(recorder: Recorder): Promise<Recorder> {
    await recorder.client.request('peers.remove', { name: 'b' });
    const next = await falsePeer(({ type }) =>
      type === 'endpoint.open'
        ? { type: 'error', code: 'NO_DEVICE', message: 'None.', cure: 'None.' }
        : undefined,
    );
    await recorder.client.request('peers.add', { join: next.join, name: 'b' });
    return recorder;
  }
});

describe('a run with a peer that hangs', () => {
  // Far below the time after which a peer that says nothing is given up.
  const SOON = { timeout: 10_000 };

  it.each([
    ['its clock is asked for', (_: FalsePeer, hang: () => void) => hang()],
    ['a connection is made', (peer: FalsePeer) => void (peer.deaf = true)],
  ])('is cancelled from the first moment on, also while %s', SOON, async (_, prepare) => {
    let hangs = false;
    const peer = await falsePeer(({ type }) => (type === 'clock' && hangs ? null : undefined));
    const recorder = await paired(peer);
    prepare(peer, () => (hangs = true));
    const runId = await start(recorder);
    const { run } = await recorder.client.request('run.cancel', { runId });
    expect(run.state).toBe('cancelled');
    expect(isFinal(run.state)).toBe(true);
    // Nothing holds the agent: the next run starts.
    await recorder.client.request('run.start', { lab: 'quick', params: {}, mode: 'all' });
  });

  it('is cancelled while its endpoint is opened', SOON, async () => {
    const peer = await falsePeer(({ type }) => (type === 'endpoint.open' ? null : undefined));
    const recorder = await paired(peer);
    const runId = await start(recorder);
    const asked = new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (peer.heard.some(({ type }) => type === 'endpoint.open')) resolve();
      }, 5);
      onTestFinished(() => clearInterval(timer));
    });
    await asked;
    const { run } = await recorder.client.request('run.cancel', { runId });
    expect(run.state).toBe('cancelled');
  });
});
