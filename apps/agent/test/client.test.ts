import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { HELLO_MS, patienceOf, type AgentMessage, type AppError, type ErrorInfo } from '@verbslab/protocol';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AgentClient } from '../src/client/client.js';
import { openHome } from '../src/config/home.js';
import { decodeInvitation } from '../src/config/join-string.js';
import { loadIdentity } from '../src/config/identity.js';
import { newHome } from './helpers/agent.js';
import { falsePeer, type FalsePeer, type Said } from './helpers/false-peer.js';

afterEach(() => void vi.useRealTimers());

/** Fakes only the timers of programs: sockets go on, and so does the event loop. */
const fakeTime = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const round = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function advance(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  // A deadline checks again what has arrived.
  await round();
  await round();
}

async function heard(peer: FalsePeer, type: string): Promise<Said> {
  for (;;) {
    const message = peer.heard.findLast((said) => said.type === type);
    if (message) return message;
    await round();
  }
}

interface Outcome {
  /** Undefined while the connection is open. */
  error?: ErrorInfo;
  answer?: AgentMessage;
}

function watch(request: Promise<AgentMessage>): Outcome {
  const outcome: Outcome = {};
  request.then(
    (answer) => (outcome.answer = answer),
    (error: unknown) => (outcome.error = (error as AppError).info),
  );
  return outcome;
}

/** Answers only what `answers` says. */
async function connected(answers: (message: Said) => object | null): Promise<{
  peer: FalsePeer;
  client: AgentClient;
  unasked: AgentMessage[];
}> {
  const peer = await falsePeer((message) => (message.type === 'hello' ? undefined : answers(message)));
  const unasked: AgentMessage[] = [];
  const { client } = await AgentClient.connect(decodeInvitation(peer.join), {
    onMessage: (message) => unasked.push(message),
  });
  onTestFinished(() => client.terminate());
  return { peer, client, unasked };
}

const runId = 'abcdefghi9';

describe('a request to an agent that does not answer', () => {
  it.each([
    ['ping', {}],
    ['devices.list', {}],
    ['run.get', { runId }],
    ['peers.add', { join: 'vlab1_x' }],
    ['peers.check', { from: 'local', to: 'b' }],
    ['run.start', { lab: 'bulk', params: {}, mode: 'all' }],
  ] as const)('%s fails when its own time is over, and not before', async (type, body) => {
    const { peer, client } = await connected(() => null);
    fakeTime();
    const limit = patienceOf(type)!;
    const outcome = watch(client.request(type, body));
    await heard(peer, type);
    await advance(limit - 1);
    expect(outcome).toEqual({});
    await advance(1);
    expect(outcome.error).toMatchObject({ code: 'NO_ANSWER' });
    expect(outcome.error!.message).toContain(`\`${type}\` within ${limit / 1000} s`);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is harmed by no late answer, and neither are those after it', async () => {
    const { peer, client, unasked } = await connected(({ type }) =>
      type === 'run.list' ? { type: 'runs', runs: [], more: false } : null,
    );
    fakeTime();
    const late = watch(client.request('ping', {}));
    const { id } = await heard(peer, 'ping');
    await advance(patienceOf('ping')!);
    expect(late.error?.code).toBe('NO_ANSWER');
    for (const answer of [
      { type: 'pong', re: id },
      { type: 'error', re: id, code: 'INTERNAL', message: 'Late.', cure: 'None.' },
      { type: 'of another version', re: id },
    ])
      peer.socket!.send(JSON.stringify(answer));
    // Answered after these, on the same connection, by its own number.
    expect(await client.request('run.list', {})).toMatchObject({ type: 'runs', re: id + 1 });
    expect(late.answer).toBeUndefined();
    expect(unasked).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that is answered in time leaves nothing that would fail later', async () => {
    const { client } = await connected(({ type }) => (type === 'ping' ? { type: 'pong' } : null));
    fakeTime();
    expect(await client.request('ping', {})).toMatchObject({ type: 'pong' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits as long as it takes where its command has a limit of its own', async () => {
    const { peer, client } = await connected(() => null);
    fakeTime();
    const body = { endpoint: 1, op: 'loop.wait', args: {} } as const;
    const outcome = watch(client.request('endpoint.call', body));
    await heard(peer, 'endpoint.call');
    await advance(24 * 3600 * 1000);
    expect(outcome).toEqual({});
    client.terminate('it was cancelled');
    for (let i = 0; i < 1000 && !outcome.error; i++) await round();
    expect(outcome.error).toMatchObject({ code: 'AGENT_UNREACHABLE' });
    expect(outcome.error!.message).toContain('it was cancelled');
  });

  it('is refused at once on a connection that has ended', async () => {
    const { client } = await connected(() => null);
    await client.close();
    await expect(client.request('ping', {})).rejects.toMatchObject({ code: 'AGENT_UNREACHABLE' });
  });
});

describe('an agent that is connected to', () => {
  it('is unreachable when it never says welcome', async () => {
    const peer = await falsePeer(() => null);
    fakeTime();
    const outcome = watch(AgentClient.connect(decodeInvitation(peer.join)).then(({ welcome }) => welcome));
    await heard(peer, 'hello');
    await advance(HELLO_MS - 1);
    expect(outcome).toEqual({});
    await advance(1);
    expect(outcome.error).toMatchObject({ code: 'AGENT_UNREACHABLE' });
    expect(outcome.error!.message).toContain(`sent no welcome message within ${HELLO_MS / 1000} s`);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has an endless refusal cut off', async () => {
    const { key, cert, fingerprint } = await loadIdentity(openHome(newHome()));
    const server = createServer({ key, cert });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    let sent = 0;
    let ended!: () => void;
    const gone = new Promise<void>((resolve) => (ended = resolve));
    server.on('upgrade', (_request, socket) => {
      const piece = Buffer.alloc(64 * 1024, 0x78);
      const more = (): void => {
        sent += piece.length;
        socket.write(piece, (error) => (error ? undefined : setImmediate(more)));
      };
      socket.on('error', () => undefined);
      socket.once('close', ended);
      socket.write('HTTP/1.1 503 Busy\r\nConnection: close\r\n\r\n', more);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(
      AgentClient.connect({ host: '127.0.0.1', port, fingerprint, token: 'x' }),
    ).rejects.toMatchObject({ code: 'AGENT_UNREACHABLE', message: expect.stringContaining('503') as string });
    await gone;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});
