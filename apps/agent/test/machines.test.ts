/**
 * Virtual machines that a page starts: the agent's side with a child of ours, and what the real child says where it
 * cannot.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MachinesWork } from '@verbslab/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { AgentClient } from '../src/client/client.js';
import type { ChildProgram } from '../src/config/agent-folder.js';
import { lockFile } from '../src/config/lock.js';
import { vmsFolder } from '../src/vms/paths.js';
import { newHome, Recorder, testAgent, peerAddress } from './helpers/agent.js';

afterEach(() => vi.unstubAllEnvs());

/** A child that does as `script` says instead of starting machines. */
function childOf(home: string, script: string): ChildProgram {
  const path = join(home, 'child.mjs');
  writeFileSync(path, script);
  return { execArgv: [], path };
}

async function setUp(script?: string) {
  const home = newHome();
  mkdirSync(home, { recursive: true });
  const child = script === undefined ? {} : { machinesChild: childOf(home, script) };
  const { agent } = await testAgent({ home, ...child });
  const recorder = await Recorder.connect(agent);
  /** Waits for the end of the work in progress. */
  const ended = async (): Promise<MachinesWork> => {
    await recorder.untilMessage('machines.changed', ({ work }) => work.state !== 'working');
    const { seen } = await recorder.client.request('set-up.look', {});
    return seen.vms.work!;
  };
  return { home, agent, recorder, ended };
}

/** Reports the progress of a start, then waits for the signal that cancels it. */
const WAITS = `
// Holds the channel, and with it the process.
process.on('message', () => undefined);
const tell = (message) => process.send(message);
tell({ said: 'trying KVM' });
tell({ name: 'b', step: 'kernel' });
tell({ name: 'a', step: 'rxe0' });
tell({ output: 'a: Linux version 6.1' });
tell({ nonsense: true });
process.on('SIGTERM', () => {
  tell({ ended: 'cancelled', error: null });
  process.disconnect();
});
`;

it('a start shows its progress to every page, keeps runs away, and is cancelled', async () => {
  const { agent, recorder, ended } = await setUp(WAITS);
  const { client } = recorder;
  expect((await client.request('set-up.look', {})).seen.vms.work).toBeNull();
  expect((await client.request('machines.cancel', {})).work).toBeNull();
  const { work } = await client.request('machines.start', {});
  expect(work).toMatchObject({ what: 'up', state: 'working', machines: [] });
  await recorder.untilMessage('machines.changed', (message) => message.work.output !== '');

  // A page that is loaded now learns the same.
  const later = await Recorder.connect(agent);
  const { seen } = await later.client.request('set-up.look', {});
  expect(seen.vms.work).toMatchObject({
    state: 'working',
    said: ['trying KVM'],
    machines: [
      { name: 'a', step: 'rxe0' },
      { name: 'b', step: 'kernel' },
    ],
    output: 'a: Linux version 6.1',
  });
  await expect(later.client.request('machines.start', {})).rejects.toMatchObject({
    info: { code: 'VMS_BUSY' },
  });
  await expect(later.client.request('machines.stop', {})).rejects.toMatchObject({
    info: { code: 'VMS_BUSY' },
  });
  await expect(
    later.client.request('run.start', { lab: 'quick', params: {}, mode: 'all' }),
  ).rejects.toMatchObject({ info: { code: 'RUN_BUSY' } });

  const { client: peer } = await AgentClient.connect(peerAddress(agent), {}, { as: 'peer' });
  await expect(peer.request('machines.cancel', {})).rejects.toMatchObject({
    info: { code: 'NOT_FOR_PEERS' },
  });
  await peer.close();

  await later.client.request('machines.cancel', {});
  expect(await ended()).toMatchObject({ state: 'cancelled', error: null });
  await later.untilMessage('machines.changed', (message) => message.work.state === 'cancelled');
});

/** Reports the progress of a start of two machines, or of one that came back. */
const startOf = (...names: string[]): string => `
for (const name of ${JSON.stringify(names)}) process.send({ name, step: 'ready' });
process.send({ ended: 'done', error: null }, () => process.disconnect());
`;

it('a page learns what earlier starts of both machines took', async () => {
  const { home, recorder, ended } = await setUp(startOf('a', 'b'));
  await recorder.client.request('machines.start', {});
  const { took } = await ended();
  const { seen } = await recorder.client.request('set-up.look', {});
  expect(seen.vms.starts).toEqual([took]);

  childOf(home, startOf('b'));
  await recorder.client.request('machines.start', {});
  await recorder.untilMessage(
    'machines.changed',
    ({ work }) => work.state === 'done' && work.machines.length === 1,
  );
  const { seen: after } = await recorder.client.request('set-up.look', {});
  expect(after.vms.starts).toEqual([took]);
});

it('an agent that stops takes its start along', async () => {
  const { agent, recorder } = await setUp(WAITS);
  await recorder.client.request('machines.start', {});
  await recorder.untilMessage('machines.changed', ({ work }) => work.output !== '');
  await agent.close();
});

it('a child that ends without a word is an error with its end', async () => {
  const { recorder, ended } = await setUp(`process.kill(process.pid, 'SIGKILL');`);
  await recorder.client.request('machines.stop', {});
  const { state, error } = await ended();
  expect(state).toBe('failed');
  expect(error).toMatchObject({ code: 'VMS_PROCESS', message: expect.stringContaining('SIGKILL') as string });
});

it('the real child says which packages are missing, and that another command is at work', async () => {
  const { home, recorder, ended } = await setUp();
  const lock = lockFile(vmsFolder(home).lock)!;
  await recorder.client.request('machines.start', {});
  expect(await ended()).toMatchObject({ what: 'up', state: 'failed', error: { code: 'VMS_BUSY' } });
  lock.release();
  recorder.messages.length = 0;
  vi.stubEnv('PATH', home);
  await recorder.client.request('machines.start', {});
  const { error } = await ended();
  expect(error?.code).toMatch(/^VMS_(PACKAGES|PLATFORM)$/);
  if (error?.code === 'VMS_PACKAGES') expect(error.cure).toContain('qemu-system-x86');
});
