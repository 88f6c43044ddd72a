/** Peers that lie, flood or hang: the agent names them, and goes on. */
import {
  encodeHistogram,
  encodePackets,
  encodeSeries,
  FRAME_HEADER_BYTES,
  isFinal,
  SERIES_FIELDS,
  type ErrorInfo,
  type SeriesRecord,
} from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testAgent, type Recorder } from './helpers/agent.js';
import { ENDPOINT, EXITED, falsePeer, type FalsePeer } from './helpers/false-peer.js';
import { ended, paired, peers, refusedPairing, running, start } from './helpers/paired.js';

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
    peer.say({ type: 'endpoint.events', endpoint: ENDPOINT, events });
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
      (peer) => peer.say({ type: 'endpoint.events', endpoint: ENDPOINT, events: [{ kind: 'qp', t: 0 }] }),
    ],
    ['an exit with an error that is none', (peer) => peer.say({ ...EXITED, code: 0, error: { code: 7 } })],
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

describe('what a peer lies about', () => {
  async function failed(peer: FalsePeer): Promise<ErrorInfo> {
    const recorder = await paired(peer);
    const { state, error } = await ended(recorder, await start(recorder, 'client'));
    expect(state).toBe('failed');
    return error!;
  }
  const endpointCall = (answer: object) =>
    falsePeer(({ type }) => (type === 'endpoint.call' ? answer : undefined));

  it.each([
    ['a result without the documented form', { type: 'endpoint.result', result: { cpu: 'fast' } }],
    ['another message than the answer', { type: 'endpoint.closed' }],
    ['an answer that no version knows', { type: 'endpoint.sang', song: 7 }],
    [
      'an internal error',
      { type: 'error', code: 'INTERNAL', message: 'Internal error: x.', cure: 'Report it.' },
    ],
  ])('is said with its name: %s', async (_, answer) => {
    const error = await failed(await endpointCall(answer));
    expect(error.message).toMatch(/^The agent on “b” (sent|reported)/);
    expect(error.message).not.toMatch(/^Internal error/);
    expect(error.code).not.toBe('INTERNAL');
    expect(error.cure).toMatch(/that agent/);
  });

  it('is said with its name: a message that cannot be read', async () => {
    const error = await failed(await endpointCall({ type: 'endpoint.result', re: 'one' }));
    expect(error.message).toContain('“b”');
    expect(error.code).toBe('PEER_LOST');
  });

  it('is said with its name: an internal error with which its endpoint ended', async () => {
    const error = await failed(
      await falsePeer(({ type }, socket) => {
        if (type !== 'endpoint.call') return undefined;
        const told = { code: 'INTERNAL', message: 'Internal error: y.', cure: 'Report it.' };
        socket.send(JSON.stringify({ ...EXITED, code: 1, error: told }));
        return null;
      }),
    );
    expect(error).toMatchObject({
      code: 'PEER_INTERNAL',
      message: 'The agent on “b” reported an internal error: y.',
    });
  });

  it('is said with its name: its clock', async () => {
    const peer = await falsePeer(({ type }) =>
      type === 'clock' ? { type: 'clocked', received: '9', sent: '5' } : undefined,
    );
    const { error } = await refusedPairing(peer);
    expect(error).toMatchObject({ code: 'AGENT_BROKEN' });
    expect(error.message).toBe('The agent on “b” sent times of a clock that goes backwards.');
  });
});

describe('a frame of a peer', () => {
  const packets = (): Uint8Array =>
    encodePackets({ source: 1, t: 0 }, [
      { t: 5, tapSeq: 0, direction: 'sent', flags: 0, origLen: 60, bytes: new Uint8Array(60) },
    ]);
  const LENGTH_AT = FRAME_HEADER_BYTES + 3 * 4;
  const forged: [string, () => Uint8Array][] = [
    ['whose packet reaches past its end', () => edited(packets(), LENGTH_AT, 4_000)],
    ['whose packet leaves bytes over', () => edited(packets(), LENGTH_AT, 8)],
    ['with a length of 32 bits', () => edited(packets(), LENGTH_AT, 0xffff_ffff)],
    ['of a time that is none', () => timed(packets(), 24, 1e300)],
    [
      'with intervals at no time',
      () => timed(encodeSeries({ source: 1, t: 0 }, [SAMPLE]), FRAME_HEADER_BYTES, Infinity),
    ],
    ['with a histogram that is none', () => encodeHistogram({ source: 1, t: 0 }, new Uint8Array(50).fill(9))],
  ];
  it.each(forged)(
    '%s is refused before it is stored, and every export of the run is whole',
    async (_, forge) => {
      const peer = await falsePeer();
      const { agent } = await testAgent();
      const recorder = await paired(peer, agent);
      const runId = await start(recorder, 'client');
      await recorder.until(() => recorder.events.some(({ kind }) => kind === 'note'));
      peer.socket!.send(packets(), { binary: true });
      peer.socket!.send(forge(), { binary: true });
      const { state, error, lastSeq } = await ended(recorder, runId);
      expect(state).toBe('failed');
      expect(error!.message).toMatch(/“(b|client)”.*(unreadable message|frame that cannot be read)/);
      expect(recorder.frames).toHaveLength(1);
      const headers = { authorization: `Bearer ${agent.token}` };
      for (const path of [
        '.json',
        '/export/jsonl',
        '/export/trace',
        '/export/csv',
        '/export/bundle',
        '/export/html',
      ]) {
        const answer = await fetch(`${agent.url}/api/runs/${runId}${path}`, { headers });
        expect([path, answer.status]).toEqual([path, 200]);
        const body = await answer.arrayBuffer();
        if (path === '.json')
          expect((JSON.parse(Buffer.from(body).toString()) as { events: unknown[] }).events).toHaveLength(
            lastSeq,
          );
      }
    },
  );

  const SAMPLE = Object.fromEntries(SERIES_FIELDS.map((field) => [field, 1])) as SeriesRecord;
  function edited(frame: Uint8Array, at: number, value: number): Uint8Array {
    new DataView(frame.buffer).setUint32(at, value, true);
    return frame;
  }
  function timed(frame: Uint8Array, at: number, value: number): Uint8Array {
    new DataView(frame.buffer).setFloat64(at, value, true);
    return frame;
  }
});

describe('a flood of events that a peer may report', () => {
  it('is kept up to a limit and counted above it, and the agent goes on', async () => {
    const peer = await falsePeer();
    const recorder = await paired(peer);
    const runId = await running(recorder);
    await recorder.client.request('run.unsubscribe', { runId });
    const [batches, each, limit] = [21, 10_000, 200_000];
    const events = Array.from({ length: each }, (_, index) => ({
      kind: 'qp',
      t: index,
      qpn: 17,
      from: 'RTS',
      to: 'ERR',
      attrs: {},
      why: 'flood',
    }));
    for (let n = 0; n < batches; n++) peer.say({ type: 'endpoint.events', endpoint: ENDPOINT, events });
    // The exit of the endpoint comes after all events.
    peer.say({ ...EXITED, code: 1 });
    await recorder.untilMessage('run.changed', ({ run }) => run.id === runId && run.state === 'failed');
    const { run } = await recorder.client.request('run.get', { runId });
    expect(run.droppedRecords).toBe(batches * each - limit);
    expect(run.lastSeq).toBeGreaterThan(limit);
    expect(run.lastSeq).toBeLessThan(limit + 100);
  });

  it('in one message ends the connection, with its name', async () => {
    const peer = await falsePeer();
    const recorder = await paired(peer);
    const runId = await running(recorder);
    const events = Array.from({ length: 20_001 }, () => ({ kind: 'cpu', t: 1 }));
    peer.say({ type: 'endpoint.events', endpoint: ENDPOINT, events });
    const { error } = await ended(recorder, runId);
    expect(error!.message).toMatch(/“b” was lost.*20001 events in one message/);
  });
});

describe('a run with a peer that hangs', () => {
  it.each([
    ['its clock is asked for', (_: FalsePeer, hang: () => void) => hang()],
    ['a connection is made', (peer: FalsePeer) => void (peer.deaf = true)],
  ])('is cancelled from the first moment on, also while %s', async (_, prepare) => {
    let hangs = false;
    const peer = await falsePeer(({ type }) => (type === 'clock' && hangs ? null : undefined));
    const recorder = await paired(peer);
    prepare(peer, () => (hangs = true));
    const runId = await start(recorder);
    const { run } = await recorder.client.request('run.cancel', { runId });
    // The run was cancelled, not failed by giving up the silent peer.
    expect(run).toMatchObject({ state: 'cancelled', error: { code: 'CANCELLED' } });
    expect(isFinal(run.state)).toBe(true);
    // The agent is free: the next run starts.
    await recorder.client.request('run.start', { lab: 'quick', params: {}, mode: 'all' });
  });

  it('is cancelled while its endpoint is opened', async () => {
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
