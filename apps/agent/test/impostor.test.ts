/** Another user listens on the port of an agent that has died: no secret may reach that program. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { createServer as createTlsServer } from 'node:tls';
import { PROTOCOL_VERSION, type Health } from '@verbslab/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Registration } from '../src/program/registration.js';
import { findOrStart } from '../src/cli/find-or-start.js';
import { addressOf } from '../src/client/find.js';
import { homeAt, openHome } from '../src/config/home.js';
import { findRunning, readState } from '../src/config/instance.js';
import { readPeerToken, readToken } from '../src/config/token.js';
import { createLogger } from '../src/base/log.js';
import { encodeInvitation } from '../src/config/join-string.js';
import { loadIdentity } from '../src/config/identity.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { helperProgram } from './helpers/programs.js';

vi.setConfig({ testTimeout: 60_000 });

const program = helperProgram('crash-agent');

async function startChild(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, VERBSLAB_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

interface Impostor {
  connections: number;
  /** All bytes that the impostor received, after TLS if it uses TLS. */
  heard: string;
  until(connections: number): Promise<void>;
}

/** Answers every request like the agent with this process id, and accepts every upgrade. */
async function impostor(port: number, pid: number, tls: boolean): Promise<Impostor> {
  const health: Health = {
    status: 'ok',
    product: 'verbslab',
    version: '0.1.0',
    protocol: PROTOCOL_VERSION,
    pid,
    uptimeSeconds: 1,
  };
  const body = JSON.stringify(health);
  let waiting: { connections: number; done: () => void }[] = [];
  const self: Impostor = {
    connections: 0,
    heard: '',
    until: (connections) =>
      self.connections >= connections
        ? Promise.resolve()
        : new Promise((done) => waiting.push({ connections, done })),
  };
  const identity = await loadIdentity(openHome(newHome()));
  const server: Server = tls ? createTlsServer({ key: identity.key, cert: identity.cert }) : createServer();
  server.on('connection', () => {
    self.connections++;
    for (const { connections, done } of waiting) if (self.connections >= connections) done();
    waiting = waiting.filter(({ connections }) => self.connections < connections);
  });
  server.on(
    tls ? 'secureConnection' : 'connection',
    (socket: NodeJS.WritableStream & NodeJS.ReadableStream) => {
      socket.on('error', () => undefined);
      socket.on('data', (data: Buffer) => {
        self.heard += data.toString('latin1');
        socket.write(
          /upgrade: websocket/i.test(self.heard)
            ? 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
            : `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
      });
    },
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return self;
}

it.each([
  ['HTTP', false],
  ['TLS with a certificate of its own', true],
])('on the port of a dead agent gets no token from a command (it speaks %s)', async (_what, tls) => {
  const home = newHome();
  await kill(await startChild(home));
  const at = homeAt(home);
  const { port, pid } = readState(at)!;
  const stranger = await impostor(port, pid, tls);
  vi.stubEnv('VERBSLAB_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());

  expect(await findRunning(at)).toBeNull();
  expect(
    await Registration.begin(
      { command: ['true'], folder: newHome(), options: [], terminal: [], stuckAfter: null },
      { onStop: () => undefined, onLost: () => undefined, onStuck: () => undefined },
    ),
  ).toBeNull();
  const found = await findOrStart(createLogger('silent'));
  onTestFinished(() => found.release());
  expect(found.address.port).not.toBe(port);
  expect(stranger.connections).toBeGreaterThan(1);
  expect(stranger.heard).not.toContain(readToken(at.token));
  expect(stranger.heard).not.toMatch(/authorization|bearer/i);
  if (tls) expect(stranger.heard).toBe('');
});

it.each([
  ['HTTP', false],
  ['TLS with a certificate of its own', true],
])('on the port of a dead peer gets no token from the reconnect (it speaks %s)', async (_what, tls) => {
  const home = newHome();
  const peer = await startChild(home);
  const at = homeAt(home);
  const state = readState(at)!;
  const { agent } = await testAgent();
  const recorder = await Recorder.connect(agent);
  const secret = readPeerToken(at);
  const join = encodeInvitation({ ...addressOf(state, at), token: secret });
  await recorder.client.request('peers.add', { join, name: 'other' });
  const down = recorder.untilMessage('peers.changed', ({ peers }) => peers[0]?.state === 'down');
  await kill(peer);
  await down;
  const stranger = await impostor(state.port, state.pid, tls);
  await stranger.until(3);
  expect(stranger.heard).not.toContain(secret);
  expect(stranger.heard).not.toMatch(/authorization|bearer/i);
  const { peers } = await recorder.client.request('peers.list', {});
  expect(peers[0]?.state).not.toBe('up');
});
