/** An agent whose disk, the folder of the second argument, is full or read-only. Prints JSON about its behavior. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorInfo, type RunEvent } from '@verbslab/protocol';
import { startAgent, type Agent } from '../../src/agent.js';
import { DeviceList } from '../../src/devices/list.js';
import { createLogger } from '../../src/base/log.js';
import { device } from './device.js';
import { puppets } from './endpoint.js';
import { LABS } from './labs.js';

const [what, disk] = process.argv.slice(2) as [string, string];
const home = join(disk, 'home');
const filler = join(disk, 'filler');

const start = (): Promise<Agent> =>
  startAgent({
    home,
    port: 0,
    labs: LABS,
    spawn: puppets().spawn,
    logger: createLogger('silent'),
    devices: new DeviceList(() => Promise.resolve({ devices: [device], problems: [] })),
  });

function fill(): void {
  const fd = openSync(filler, 'a');
  try {
    for (const size of [65_536, 4096, 1]) {
      try {
        for (;;) if (writeSync(fd, Buffer.alloc(size)) < size) break;
      } catch {
        // The disk is full for pieces of this size.
      }
    }
  } finally {
    closeSync(fd);
  }
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => toErrorInfo(error),
  );

/** Starts runs until one is refused: the first ones may still fit into the free space of the files. */
async function refusal(begin: () => Promise<unknown>): Promise<unknown> {
  for (let i = 0; i < 5000; i++) {
    const error = (await failure(begin())) as { code: string } | null;
    if (error && error.code !== 'RUN_BUSY') return error;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return null;
}

async function run(): Promise<unknown> {
  const agent = await start();
  const order = { params: {}, mode: 'all' as const };
  const { id } = await agent.manager.start({ lab: 'endless', ...order });
  const ended = new Promise<void>((resolve) =>
    agent.manager.on('changed', (record) => record.id === id && record.state === 'failed' && resolve()),
  );
  while (agent.manager.get(id).lastSeq < 50) await new Promise((resolve) => setImmediate(resolve));
  fill();
  await ended;
  const record = agent.manager.get(id);
  const { reader } = agent.manager.read(id, 1);
  const events: RunEvent[] = [];
  for (let item = reader.next(); item; item = reader.next())
    if (item.json !== null) events.push(JSON.parse(item.json) as RunEvent);
  const notes = events.filter(({ kind }) => kind === 'note').length;
  fill();
  const begun = await refusal(() => agent.manager.start({ lab: 'quick', ...order }));
  await agent.close();
  rmSync(filler);
  const next = await start();
  const after = next.manager.get(id);
  await next.close();
  return { begun, ended: { ...record, notes, lastKind: events.at(-1)?.kind }, after };
}

async function readOnly(): Promise<unknown> {
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  return failure(start());
}

async function full(): Promise<unknown> {
  fill();
  return failure(start());
}

const answer = await (what === 'run' ? run() : what === 'start' ? full() : readOnly());
process.stdout.write(JSON.stringify(answer));
process.exit(0);
