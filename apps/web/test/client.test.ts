import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { backOff } from '../src/connection/back-off';
import { AgentError, OPENING_MS } from '../src/connection/client';
import { patienceOf, PROTOCOL_VERSION } from '@verbslab/protocol';
import { connected, newClient, Socket, turn, stubSockets, WAIT, welcome } from './lib/sockets';
import { record } from './stream';

stubSockets();

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
    ['unauthorized', { signedIn: false }],
    ['unauthorized', {}],
    ['refused', { signedIn: true }],
  ] as const)('distinguishes from an agent that is gone one that says: %s, %j', async (why, health) => {
    vi.stubGlobal('fetch', vi.fn().mockResolvedValue({ ok: true, json: () => Promise.resolve(health) }));
    const { client, on } = newClient();
    client.start();
    Socket.all[0]!.close();
    // The first pause is none; the second attempt fails as well, and then there is time to ask.
    await vi.waitFor(() => expect(Socket.all).toHaveLength(2), WAIT);
    Socket.all[1]!.close();
    await vi.waitFor(() => expect(on.lost).toHaveBeenCalledWith(why, 2, expect.any(Number)), WAIT);
    client.stop();
  });

  it('gives up a connection that never opens, and says that the agent does not answer', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('no answer')));
    const { client, on } = newClient();
    client.start();
    await vi.advanceTimersByTimeAsync(OPENING_MS - 1);
    expect(Socket.all.map(({ readyState }) => readyState)).toEqual([0]);
    // The first pause is none; the second attempt hangs as well.
    await vi.advanceTimersByTimeAsync(2);
    expect(Socket.all.map(({ readyState }) => readyState)).toEqual([3, 0]);
    await vi.advanceTimersByTimeAsync(OPENING_MS);
    expect(on.lost).toHaveBeenCalledWith('unreachable', 2, expect.any(Number));
    client.stop();
  });

  it('leaves no question for the completions of a run open that is let go', async () => {
    const { client } = newClient();
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
    const { client, on } = newClient();
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
    expect(on.lost).toHaveBeenCalledWith('protocol', 0, null);
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
