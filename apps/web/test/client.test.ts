import { createHmac } from 'node:crypto';
import type { AgentMessage, ClientMessage } from '@verbslab/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backOff } from '../src/connection/back-off';
import { AgentClient, AgentError, OPENING_MS, type ClientEvents } from '../src/connection/client';
import { RunSessions } from '../src/connection/run-sessions';
import { patienceOf, PROTOCOL_VERSION } from '@verbslab/protocol';
import { newest } from '../src/model/completion-snapshot';
import { DirectLink } from './direct-link';
import { record, Stream } from './stream';

/** The browser's end of a socket, in the hands of the test. */
class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  binaryType = '';
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((e: { data: string | ArrayBuffer }) => void) | null = null;
  readonly sent: ClientMessage[] = [];

  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  say(m: object): void {
    this.onmessage?.({ data: JSON.stringify(m) });
  }
  frame(bytes: Uint8Array): void {
    this.onmessage?.({ data: bytes.slice().buffer });
  }
  last(type: string): ClientMessage & { id: number } {
    return this.sent.findLast((m) => m.type === type) as ClientMessage & { id: number };
  }
}

const WELCOME = {
  type: 'welcome',
  protocol: 1,
  agent: {
    id: 'a',
    version: '0',
    host: 'h',
    platform: 'p',
    cpus: 2,
    cpuModel: 'c',
    kernel: 'k',
    memlockLimit: null,
  },
  devices: [],
  labs: [],
  runs: [],
};
/** Long enough on a busy machine for what comes within a second on any other. */
const WAIT = { timeout: 60_000 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A client whose first socket has been welcomed. */
async function connected(more: Partial<ClientEvents> = {}, said: object = {}) {
  const on = {
    welcome: vi.fn(),
    lost: vi.fn(),
    connecting: vi.fn(),
    message: vi.fn(),
    frame: vi.fn(),
    completions: vi.fn(),
    ...more,
  };
  const client = new AgentClient('ws://agent/ws', new DirectLink(), on);
  client.start();
  await welcome(said);
  return { client, on, socket: Socket.all.at(-1)! };
}

async function welcome(said: object = {}) {
  const socket = Socket.all.at(-1)!;
  socket.open();
  socket.say({ ...WELCOME, ...said, re: socket.last('hello').id });
  await turn();
}

beforeEach(() => {
  Socket.all = [];
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue({ ok: false }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the connection to the agent', () => {
  it('says hello with the agent’s own protocol version', async () => {
    const { on, socket } = await connected();
    expect(socket.sent[0]).toMatchObject({ type: 'hello', protocol: PROTOCOL_VERSION, client: 'web' });
    expect(on.welcome).toHaveBeenCalledOnce();
  });

  it('gives each request its own reply, errors as errors', async () => {
    const { client, socket } = await connected();
    const a = client.request('run.get', { runId: 'aaaaaaaaaa' });
    const b = client.request('run.cancel', { runId: 'bbbbbbbbbb' });
    socket.say({
      type: 'error',
      re: socket.last('run.cancel').id,
      code: 'UNKNOWN_RUN',
      message: 'no',
      cure: 'none',
    });
    socket.say({ type: 'run', re: socket.last('run.get').id, run: record() });
    await expect(a).resolves.toMatchObject({ type: 'run' });
    await expect(b).rejects.toMatchObject({ info: { code: 'UNKNOWN_RUN' } });
  });

  it('acknowledges what it consumed, counted in all', async () => {
    const { socket } = await connected();
    const bytes = new Uint8Array(200_000);
    socket.frame(bytes);
    expect(socket.sent.filter((m) => m.type === 'run.ack')).toEqual([]);
    socket.frame(bytes);
    expect(socket.last('run.ack')).toMatchObject({ bytes: 400_000 });
    socket.frame(bytes);
    socket.frame(bytes);
    expect(socket.last('run.ack')).toMatchObject({ bytes: 800_000 });
  });

  it('counts events by the length of their message', async () => {
    const { socket } = await connected();
    const note = 'ü'.repeat(300_000);
    const m = {
      type: 'run.events',
      runId: 'aaaaaaaaaa',
      events: [{ seq: 1, t: 0, kind: 'note', text: note }],
    };
    socket.say(m);
    expect(socket.last('run.ack')).toMatchObject({ bytes: JSON.stringify(m).length });
  });

  it('waits for an answer as long as the request may take, and no longer', async () => {
    const { client } = await connected();
    vi.useFakeTimers();
    const refused: string[] = [];
    const ask = (asked: Promise<unknown>): void =>
      void asked.catch((e: unknown) => {
        const { code, detail } = (e as AgentError).info;
        refused.push(`${detail} ${code}`);
      });
    // An agent that reaches a slow peer takes a handshake, a welcome and a clock exchange for it.
    ask(client.request('peers.add', { join: 'vlab1_x' }));
    ask(client.request('run.get', { runId: 'aaaaaaaaaa' }));
    await vi.advanceTimersByTimeAsync(patienceOf('run.get')!);
    expect(refused).toEqual(['run.get NO_ANSWER']);
    await vi.advanceTimersByTimeAsync(40_000 - patienceOf('run.get')!);
    expect(refused).toEqual(['run.get NO_ANSWER']);
    await vi.advanceTimersByTimeAsync(patienceOf('peers.add')! - 40_000);
    expect(refused).toEqual(['run.get NO_ANSWER', 'peers.add NO_ANSWER']);
  });

  it('comes back by itself, and fails what was pending', async () => {
    const { client, on, socket } = await connected();
    const pending = client.request('devices.list', {});
    socket.close();
    await expect(pending).rejects.toBeInstanceOf(AgentError);
    await vi.waitFor(() => expect(Socket.all).toHaveLength(2), WAIT);
    await welcome();
    expect(on.welcome).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['unauthorised', { signedIn: false }],
    ['unauthorised', {}],
    ['refused', { signedIn: true }],
  ] as const)('distinguishes from an agent that is gone one that says: %s, %j', async (why, health) => {
    vi.stubGlobal('fetch', vi.fn().mockResolvedValue({ ok: true, json: () => Promise.resolve(health) }));
    const lost = vi.fn();
    const client = new AgentClient('ws://agent/ws', new DirectLink(), {
      welcome: vi.fn(),
      lost,
      connecting: vi.fn(),
      message: vi.fn(),
      frame: vi.fn(),
      completions: vi.fn(),
    });
    client.start();
    Socket.all[0]!.close();
    // The first pause is none; the second attempt fails as well, and then there is time to ask.
    await vi.waitFor(() => expect(Socket.all).toHaveLength(2), WAIT);
    Socket.all[1]!.close();
    await vi.waitFor(() => expect(lost).toHaveBeenCalledWith(why, 2, expect.any(Number)), WAIT);
    client.stop();
  });

  it('gives up a connection that never opens, and says that the agent does not answer', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('no answer')));
    const lost = vi.fn();
    const client = new AgentClient('ws://agent/ws', new DirectLink(), {
      ...{ welcome: vi.fn(), connecting: vi.fn(), message: vi.fn(), frame: vi.fn(), completions: vi.fn() },
      lost,
    });
    client.start();
    await vi.advanceTimersByTimeAsync(OPENING_MS - 1);
    expect(Socket.all.map(({ readyState }) => readyState)).toEqual([0]);
    // The first pause is none; the second attempt hangs as well.
    await vi.advanceTimersByTimeAsync(2);
    expect(Socket.all.map(({ readyState }) => readyState)).toEqual([3, 0]);
    await vi.advanceTimersByTimeAsync(OPENING_MS);
    expect(lost).toHaveBeenCalledWith('unreachable', 2, expect.any(Number));
    client.stop();
  });

  it('leaves no question for the completions of a run open that is let go', async () => {
    const client = new AgentClient('ws://agent/ws', new DirectLink(), {
      welcome: vi.fn(),
      lost: vi.fn(),
      connecting: vi.fn(),
      message: vi.fn(),
      frame: vi.fn(),
      completions: vi.fn(),
    });
    const asked = client.stillCompletions(7);
    client.forget(7);
    expect(await asked).toMatchObject({ total: 0, kept: 0 });
  });

  it('signs in again after a restart by proof of its key, which it does not send', async () => {
    const asked: string[] = [];
    vi.stubGlobal('location', { host: 'agent:7480' });
    vi.stubGlobal('fetch', (path: string) => {
      asked.push(path);
      return Promise.resolve({ ok: true, json: () => Promise.resolve({ challenge: 'c' }) });
    });
    const { client, socket } = await connected({}, { resume: { id: 'who', key: 'secret' } });
    socket.close();
    await vi.waitFor(() => expect(asked).toHaveLength(3), WAIT);
    const proof = createHmac('sha256', 'secret').update('c agent:7480').digest('base64url');
    expect(asked).toEqual(['/api/health', '/api/resume', `/api/resume?id=who&proof=${proof}`]);
    await vi.waitFor(() => expect(Socket.all.length).toBeGreaterThan(1), WAIT);
    client.stop();
  });

  it('does not try again against an agent of another protocol', async () => {
    const lost = vi.fn();
    const client = new AgentClient('ws://agent/ws', new DirectLink(), {
      welcome: vi.fn(),
      lost,
      connecting: vi.fn(),
      message: vi.fn(),
      frame: vi.fn(),
      completions: vi.fn(),
    });
    client.start();
    const socket = Socket.all[0]!;
    socket.open();
    socket.say({
      type: 'error',
      re: socket.last('hello').id,
      code: 'PROTOCOL_VERSION',
      message: 'm',
      cure: 'c',
    });
    await turn();
    expect(lost).toHaveBeenCalledWith('protocol', 0, null);
    expect(Socket.all).toHaveLength(1);
  });

  it('survives what it cannot read', async () => {
    const { on, socket } = await connected();
    socket.onmessage?.({ data: 'not json' });
    expect(on.message).not.toHaveBeenCalled();
  });

  it('waits longer each time, up to five seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 60].map(backOff)).toEqual([0, 250, 500, 1000, 2000, 4000, 5000, 5000]);
  });
});

describe('sessions of runs', () => {
  async function opened() {
    let sessions: RunSessions | null = null;
    const { client, socket } = await connected({
      message: (m: AgentMessage) => sessions?.message(m),
      frame: (b: Uint8Array) => sessions?.frame(b),
      completions: (run, latest, lastSeq) => sessions?.completions(run, latest, lastSeq),
      lost: () => sessions?.lost(),
      welcome: () => sessions?.welcome(),
    });
    const changed = vi.fn();
    sessions = new RunSessions(client, changed);
    sessions.welcome();
    const session = sessions.acquire('abcdefghij');
    socket.say({ type: 'run', re: socket.last('run.get').id, run: record() });
    await turn();
    socket.say({ type: 'run.subscribed', re: socket.last('run.subscribe').id, run: record(), fromSeq: 1 });
    await turn();
    return { client, socket, sessions, session, changed };
  }

  it('continues after a lost connection from the first missing item', async () => {
    const { socket, session, sessions } = await opened();
    expect(socket.last('run.subscribe')).toMatchObject({ fromSeq: 1 });
    const s = new Stream();
    socket.say({ type: 'run.events', runId: 'abcdefghij', events: [s.event({ kind: 'note', text: 'one' })] });
    socket.frame(s.completions(1, 5));
    socket.close();
    expect(session.view!.model.lastSeq).toBe(2);
    sessions.lost();
    await vi.waitFor(() => expect(Socket.all).toHaveLength(2), WAIT);
    await welcome();
    const again = Socket.all.at(-1)!;
    await vi.waitFor(() => expect(again.last('run.subscribe')).toMatchObject({ fromSeq: 3 }), WAIT);
    // The agent sends the last item again: nothing is counted twice.
    again.frame(s.completions(1, 5));
    again.say({ type: 'run.complete', runId: 'abcdefghij', lastSeq: 3 });
    expect(session.view!.model.completions.total).toBe(10);
  });

  it('hands frames to the run whose number they carry', async () => {
    const { socket, session } = await opened();
    const other = new Stream().completions(1, 5);
    new DataView(other.buffer).setUint32(4, 99, true);
    socket.frame(other);
    socket.say({ type: 'run.complete', runId: 'abcdefghij', lastSeq: 1 });
    expect(session.view!.model.completions.total).toBe(0);
  });

  it('counts what this page was too slow for', async () => {
    const { socket, session } = await opened();
    socket.say({
      type: 'run.dropped',
      runId: 'abcdefghij',
      source: 1,
      what: 'completions',
      frames: 2,
      records: 8192,
      recorded: true,
    });
    socket.say({ type: 'run.live', runId: 'abcdefghij' });
    expect(session.view!.model.completions.dropped).toBe(8192);
  });

  it('acknowledges completions without asking the page', async () => {
    const { socket } = await opened();
    socket.frame(new Stream().completions(1, 10_000));
    expect(socket.last('run.ack')).toMatchObject({ bytes: 320_032 });
  });

  it('sends a page completions ten times per second, however many there are', async () => {
    const { socket, session } = await opened();
    const model = session.view!.model;
    vi.useFakeTimers();
    const s = new Stream();
    const before = model.version.completions;
    for (let ms = 0; ms < 1000; ms += 5) {
      socket.frame(s.completions(1, 100));
      await vi.advanceTimersByTimeAsync(5);
    }
    const told = model.version.completions - before;
    expect(told).toBeGreaterThanOrEqual(9);
    expect(told).toBeLessThanOrEqual(11);
    await vi.advanceTimersByTimeAsync(100);
    expect(model.completions).toMatchObject({ total: 20_000, kept: 20_000, errors: 0, dropped: 0 });
    expect(newest(model.completions, 0)).toMatchObject({ number: 20_000 });
  });

  it('has all completions that are kept when it asks for them', async () => {
    const { socket, session, sessions } = await opened();
    const s = new Stream();
    socket.frame(s.completions(1, 5_000));
    const still = await sessions.stillCompletions(session);
    socket.frame(s.completions(1, 10));
    expect(still).toMatchObject({ total: 5_000, kept: 5_000 });
    expect(newest(still!, 4_999)).toMatchObject({ number: 1, wrId: 0 });
  });

  it('does not announce completions of a run that was left', async () => {
    const { socket, session, sessions } = await opened();
    sessions.forget('abcdefghij');
    socket.frame(new Stream().completions(1, 5));
    socket.say({ type: 'run.live', runId: 'abcdefghij' });
    expect(session.view!.model.completions.total).toBe(0);
  });

  it('asks for no completions and packets where no page shows them, and for all once one does', async () => {
    const { sessions, socket, session } = await opened();
    expect(socket.last('run.subscribe')).not.toHaveProperty('detail');
    // A session with all serves those who want less.
    expect(sessions.acquire('abcdefghij', false)).toBe(session);
    const slim = sessions.acquire('zzzzzzzzzz', false);
    const run = record({ id: 'zzzzzzzzzz', number: 2 });
    socket.say({ type: 'run', re: socket.last('run.get').id, run });
    await turn();
    expect(socket.last('run.subscribe')).toMatchObject({ runId: 'zzzzzzzzzz', detail: false });
    const old = slim.view;
    sessions.acquire('zzzzzzzzzz');
    // The old stream has ended before the new model is there, so that nothing of it counts as read.
    expect(slim).toMatchObject({ state: 'loading', view: null });
    const s = new Stream();
    socket.say({ type: 'run.events', runId: 'zzzzzzzzzz', events: [s.event({ kind: 'note', text: 'old' })] });
    socket.say({ type: 'run.unsubscribed', re: socket.last('run.unsubscribe').id, runId: 'zzzzzzzzzz' });
    await turn();
    socket.say({ type: 'run', re: socket.last('run.get').id, run });
    await turn();
    expect(slim.view).not.toBe(old);
    const all = socket.last('run.subscribe');
    expect(all).toMatchObject({ runId: 'zzzzzzzzzz', fromSeq: 1 });
    expect(all).not.toHaveProperty('detail');
    expect(slim.view!.model.lastSeq).toBe(0);
  });

  it('says why a run cannot be opened', async () => {
    const { sessions, socket, changed } = await opened();
    const missing = sessions.acquire('zzzzzzzzzz');
    socket.say({
      type: 'error',
      re: socket.last('run.get').id,
      code: 'UNKNOWN_RUN',
      message: 'no',
      cure: 'see',
    });
    await turn();
    expect(missing).toMatchObject({ state: 'failed', error: { info: { code: 'UNKNOWN_RUN' } } });
    expect(changed).toHaveBeenCalled();
  });

  it('keeps the latest runs after they were left, and lets older ones go', async () => {
    const { sessions, socket } = await opened();
    for (const id of ['b', 'c', 'd']) sessions.acquire(id.repeat(10));
    for (const id of ['a', 'b', 'c', 'd']) sessions.release(id === 'a' ? 'abcdefghij' : id.repeat(10));
    expect(sessions.get('abcdefghij')).toBeUndefined();
    expect(sessions.get('dddddddddd')).toBeDefined();
    expect(socket.last('run.unsubscribe')).toBeDefined();
  });
});
