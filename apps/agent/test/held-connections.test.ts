/** A client that holds connections open locks nobody out. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../src/agent.js';
import { Recorder, testAgent } from './helpers/agent.js';

const HELD = 400;

/** Ways to hold a connection without a request. */
const HOLDS: Record<string, (agent: Agent) => Promise<Socket>> = {
  'say nothing': async ({ port }) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  },
  'begin a TLS handshake': async ({ port }) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(Buffer.from([0x16]));
    return socket;
  },
  'end the handshake': async ({ port }) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  },
  'begin a request': async ({ port }) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost:');
    return socket;
  },
};

it.each(Object.entries(HOLDS))('clients that %s lock nobody out', async (_name, hold) => {
  const { agent } = await testAgent();
  const before = await Recorder.connect(agent);
  let ended = 0;
  for (let i = 0; i < HELD; i++) {
    const socket = await hold(agent);
    socket.on('error', () => undefined).once('close', () => ended++);
    onTestFinished(() => void socket.destroy());
  }
  const answer = await fetch(`http://127.0.0.1:${agent.port}/api/health`);
  expect(answer.status).toBe(200);
  const after = await Recorder.connect(agent);
  expect(await after.client.request('ping', {})).toMatchObject({ type: 'pong' });
  // The earlier client is still connected.
  expect(await before.client.request('ping', {})).toMatchObject({ type: 'pong' });
  await expect.poll(() => ended).toBeGreaterThan(HELD / 2);
});
