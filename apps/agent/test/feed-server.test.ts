/** The end of a command whose processes are still being read. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ProgramEvent } from '@verbslab/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { FeedServer } from '../src/program/feed-server.js';
import { WorkTally } from '../src/program/work-tally.js';
import { farewell, hello, note } from './helpers/feed.js';

const CLOCK = 5_000_000_000_000n;
/** Longer than the time that a running process gets. */
const LATE_MS = 1_500;

async function served(): Promise<{
  feed: FeedServer;
  events: ProgramEvent[];
  process: () => Promise<Socket>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'verbslab-feed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const events: ProgramEvent[] = [];
  let sources = 0;
  const feed = await FeedServer.open(folder, CLOCK, {
    event: (event) => events.push(event),
    frame: () => undefined,
    standstill: () => undefined,
    newSource: () => ++sources,
    work: new WorkTally(),
    finding: () => undefined,
  });
  const process = async (): Promise<Socket> => {
    const socket = connect(feed.path);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  return { feed, events, process };
}

it('reads what a process that has ended left in its socket, however late it comes', async () => {
  const { feed, events, process } = await served();
  const ended = spawnSync('true').pid;
  const socket = await process();
  socket.write(hello(CLOCK, ended));
  const closed = feed.close();
  await setTimeout(LATE_MS);
  socket.write(note({ type: 'gone', t: 400, kind: 'MR', number: 7, call: 'ibv_dereg_mr' }));
  socket.end(farewell(500));
  await closed;
  expect(events.at(-1)).toMatchObject({ kind: 'object', phase: 'gone', number: 7 });
});

it('does not wait for a process that keeps running', async () => {
  const { feed, events, process: follow } = await served();
  const socket = await follow();
  socket.write(hello(CLOCK, process.pid));
  const lost = once(socket, 'close');
  await feed.close();
  await lost;
  expect(events.at(-1)).toMatchObject({ kind: 'log', level: 'warn' });
});
