import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { encodeHistogram } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from '../src/agent.js';
import { createLogger } from '../src/base/log.js';
import { openHome } from '../src/config/home.js';
import { RunStore } from '../src/store/store.js';
import { StreamReader } from '../src/store/stream-reader.js';
import { Credit, Subscription, type Outlet } from '../src/server/subscription.js';
import { FairQueue } from '../src/server/fair-queue.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';

const FRAME = 100_000;
const FRAMES = 40;

/**
 * Writes ended runs, each a number of chunks of histograms of the given size. Returns functions that open their
 * streams.
 */
function replays(
  runs: number,
  { chunks, frames, bytes }: { chunks: number; frames: number; bytes: number },
): (() => StreamReader)[] {
  const store = RunStore.open(openHome(newHome()));
  onTestFinished(() => store.close());
  return Array.from({ length: runs }, () => {
    const run = store.create({ lab: 'x', title: 'X', mode: 'all', device: null, parameters: {} });
    for (let chunk = 0; chunk < chunks; chunk++) {
      const frame = Buffer.from(encodeHistogram({ source: 1, t: chunk }, new Uint8Array(bytes)));
      store.flush(run.number, {
        firstSeq: chunk * frames + 1,
        items: Array.from({ length: frames }, () => ({ frame: true, bytes: frame })),
        lastT: chunk,
        recordedBytes: 0,
        droppedRecords: 0,
        capture: null,
      });
    }
    return () => new StreamReader(store, run.number, null, 1);
  });
}

/** The stream of an ended run with 4 MB of histograms. */
function replay(): () => StreamReader {
  const [reader] = replays(1, { chunks: FRAMES, frames: 1, bytes: FRAME });
  return reader!;
}

/** A client that counts the frames and bytes that it receives, and reads only while `reads`. */
class Client implements Outlet {
  bytes = 0;
  frames = 0;
  waiting = 0;
  reads = true;
  ended = false;
  readonly subscription: Subscription;

  constructor(reader: StreamReader, queue: FairQueue) {
    this.subscription = new Subscription({
      runId: 'x',
      detail: true,
      reader,
      live: null,
      credit: new Credit(Infinity),
      outlet: this,
      queue,
      onDropped: () => undefined,
      onFailure: () => undefined,
      onEnd: () => (this.ended = true),
    });
  }

  get open(): boolean {
    return this.waiting < 2 * FRAME;
  }

  text(): void {
    // The only text is the end of the stream.
  }

  binary(frame: Buffer): void {
    this.bytes += frame.length;
    this.frames++;
    if (!this.reads) this.waiting += frame.length;
  }
}

/** Bytes outside of the heap that are in use. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

const round = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('replays', () => {
  it('of many clients share one turn per round of the event loop', async () => {
    const reader = replay();
    const queue = new FairQueue();
    const clients = Array.from({ length: 20 }, () => new Client(reader(), queue));
    const sent = (): number => clients.reduce((sum, { bytes }) => sum + bytes, 0);
    let last = 0;
    let largest = 0;
    while (!clients.every(({ ended }) => ended)) {
      await round();
      largest = Math.max(largest, sent() - last);
      last = sent();
      // No client is done before all others have begun.
      if (clients.some(({ ended }) => ended)) expect(clients.every(({ bytes }) => bytes > 0)).toBe(true);
    }
    expect(largest).toBeLessThan(256 * 1024 + 2 * FRAME);
    expect(sent()).toBeGreaterThanOrEqual(20 * FRAMES * FRAME);
  });

  it('stop at a client that does not read, go on when it does, and end with it', async () => {
    const reader = replay();
    const queue = new FairQueue();
    const [deaf, other, gone] = Array.from({ length: 3 }, () => new Client(reader(), queue));
    deaf!.reads = false;
    gone!.reads = false;
    while (!other!.ended) await round();
    expect(deaf!.bytes).toBeLessThan(3 * (FRAME + 100));
    gone!.subscription.close();
    for (const client of [deaf!, gone!]) {
      client.reads = true;
      client.waiting = 0;
      client.subscription.schedule();
    }
    while (!deaf!.ended) await round();
    expect(deaf!.bytes).toBe(other!.bytes);
    expect(gone!.bytes).toBeLessThan(3 * (FRAME + 100));
  });

  it('keep nothing of the record for clients that do not read', async () => {
    const readers = replays(60, { chunks: 1, frames: 10, bytes: FRAME });
    const queue = new FairQueue();
    const before = bytesInUse();
    const clients = readers.map((reader) => {
      const client = new Client(reader(), queue);
      client.reads = false;
      return client;
    });
    while (!clients.every(({ open }) => !open)) await round();
    // All readers share one cache, and none keeps a megabyte of its own. Array buffers are freed a little after the
    // collection that finds them.
    await expect.poll(() => bytesInUse() - before).toBeLessThan(32 * 1024 * 1024);
    for (const client of clients) {
      client.reads = true;
      client.waiting = 0;
      client.subscription.schedule();
    }
    while (!clients.every(({ ended }) => ended)) await round();
    for (const { frames } of clients) expect(frames).toBe(10);
  });

  it('end their turn after so many items, however small these are', async () => {
    const [reader] = replays(1, { chunks: 4, frames: 5_000, bytes: 8 });
    const client = new Client(reader!(), new FairQueue());
    let last = 0;
    let most = 0;
    while (!client.ended) {
      await round();
      most = Math.max(most, client.frames - last);
      last = client.frames;
    }
    expect(client.frames).toBe(20_000);
    expect(most).toBeLessThanOrEqual(4_096);
  });
});

/** A connection whose bytes the test writes itself, so that many messages are one piece. */
async function open(agent: Agent): Promise<Socket> {
  const socket = connect(agent.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${agent.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n` +
      `Authorization: Bearer ${agent.token}\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

function masked(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  expect(text.length).toBeLessThan(126);
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
}

describe('a burst of subscriptions', () => {
  it('is handled one message per round of the event loop', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('quick');
    await recorder.untilMessage('run.complete');
    const socket = await open(agent);
    let answers = 0;
    let rounds = 0;
    let going = true;
    const count = (): void => {
      rounds++;
      if (going) setImmediate(count);
    };
    const all = new Promise<void>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        answers = text.split('"run.subscribed"').length - 1;
        if (answers === 500) resolve();
      });
    });
    setImmediate(count);
    const hello = masked({ type: 'hello', id: 1, protocol: 1, client: 'cli' });
    const subscribe = masked({ type: 'run.subscribe', id: 1, runId, fromSeq: 1 });
    socket.write(Buffer.concat([hello, ...Array.from({ length: 500 }, () => subscribe)]));
    await all;
    going = false;
    // Each message had a round of its own, so that others had their turns in between.
    expect(rounds).toBeGreaterThanOrEqual(500);
  });

  it('is not handled further once the agent stops', async () => {
    const log: string[] = [];
    const { agent } = await testAgent({
      logger: createLogger('error', { write: (line) => void log.push(line) }),
    });
    const socket = await open(agent);
    const hello = masked({ type: 'hello', id: 1, protocol: 1, client: 'cli' });
    const list = masked({ type: 'run.list', id: 2 });
    socket.write(Buffer.concat([hello, ...Array.from({ length: 3000 }, () => list)]));
    await once(socket, 'data');
    await agent.close();
    socket.destroy();
    // The rest of the burst has its rounds now.
    for (let i = 0; i < 5000; i++) await round();
    expect(log).toEqual([]);
  });

  it('beyond the number of one connection is refused, and the others stay', async () => {
    const { agent } = await testAgent();
    const { client } = await Recorder.connect(agent);
    const follow = async (): Promise<string> => {
      const { run } = await client.request('program.start', { command: ['x'], clock: '0' });
      await client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
      return run.id;
    };
    const [first] = await Promise.all(Array.from({ length: 16 }, follow));
    await expect(follow()).rejects.toMatchObject({ code: 'LIMIT' });
    // A second subscription to the same run replaces the first.
    await client.request('run.subscribe', { runId: first!, fromSeq: 1 });
    await client.request('run.unsubscribe', { runId: first! });
    await follow();
  });
});
