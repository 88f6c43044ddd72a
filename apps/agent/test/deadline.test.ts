import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { deadline } from '../src/base/deadline.js';

/** Connects, and on a message writes one byte and says so in the shared memory. */
const WRITER = `
const { connect } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const socket = connect(workerData.port, '127.0.0.1');
parentPort.once('message', () =>
  socket.write('x', () => {
    Atomics.store(workerData.written, 0, 1);
    Atomics.notify(workerData.written, 0);
  }),
);
`;

it('expires after what had arrived while this process stood still has been read', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const written = new Int32Array(new SharedArrayBuffer(4));
  const { port } = server.address() as AddressInfo;
  const worker = new Worker(WRITER, { eval: true, workerData: { port, written } });
  onTestFinished(() => void worker.terminate());
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void socket.destroy());
  const order: string[] = [];
  socket.on('data', () => order.push('read'));
  const expired = new Promise<void>((resolve) => {
    deadline(1, () => {
      order.push('expired');
      resolve();
    });
  });
  // The process stands still until the byte is in its socket and the deadline has passed.
  worker.postMessage('write');
  Atomics.wait(written, 0, 0, 60_000);
  Atomics.wait(written, 0, 1, 50);
  await expired;
  expect(order).toEqual(['read', 'expired']);
});

it('does not expire when it is called off between its timer and the reading of sockets', async () => {
  let expired = false;
  const callOff = deadline(1, () => (expired = true));
  const calledOff = new Promise<void>((resolve) => {
    setTimeout(() => {
      callOff();
      resolve();
    }, 1);
  });
  // Both timers are due when the event loop looks, so that it runs both before anything else.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  await calledOff;
  await new Promise((resolve) => setImmediate(resolve));
  expect(expired).toBe(false);
});

it('does not expire when it is called off before its time', async () => {
  let expired = false;
  deadline(1, () => (expired = true))();
  await new Promise((resolve) => setTimeout(resolve, 2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(expired).toBe(false);
});
