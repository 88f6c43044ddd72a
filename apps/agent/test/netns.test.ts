/** The embedded device in a network namespace of its own, beside one of the agent's. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { DeviceList, queryDevices } from '../src/devices/list.js';
import { spawnEndpoint } from '../src/endpoint/index.js';
import { Recorder, testAgent } from './helpers/agent.js';
import { Recording } from './endpoint-harness.js';

vi.setConfig({ testTimeout: 60_000 });
beforeEach(() => void vi.stubEnv('UROCE_ADDR', '127.0.0.73'));
afterEach(() => void vi.unstubAllEnvs());

const mayEnter = spawnSync('unshare', ['-n', 'true']).status === 0;

/** The path of a new namespace with loopback; it goes with the test. */
async function newNetns(): Promise<string> {
  const holder = spawn('unshare', ['-n', 'sh', '-c', 'ip link set lo up && echo up && exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(createInterface({ input: holder.stdout }), 'line');
  return `/proc/${holder.pid}/ns/net`;
}

it('is listed as unusable when there is no such namespace, beside the usable ones', async () => {
  vi.stubEnv('VERBSLAB_UROCE_NETNS', 'nowhere');
  const { devices, problems } = await queryDevices();
  expect(devices.filter(({ provider }) => provider === 'embedded')).toEqual([]);
  const [problem] = problems.filter(({ provider }) => provider === 'embedded');
  expect(problem?.message).toContain('/run/netns/nowhere');
  expect(problem?.cure).toContain('VERBSLAB_UROCE_NETNS');
  await expect(new Recording().spawn('one', { netns: '/run/netns/nowhere' })).rejects.toMatchObject({
    code: 'NETNS',
  });
});

it.skipIf(!mayEnter)('opens endpoints there, on an address that is taken here', async () => {
  const netns = await newNetns();
  vi.stubEnv('VERBSLAB_UROCE_NETNS', netns);
  const { agent } = await testAgent({ spawn: spawnEndpoint, devices: new DeviceList() });
  const { client } = await Recorder.connect(agent);
  const { devices } = await client.request('devices.list', {});
  expect(devices.find(({ name }) => name === 'uroce0')).toMatchObject({ provider: 'embedded' });

  const here = await new Recording().spawn('here');
  const there = await new Recording().spawn('there', { netns });
  const netnsOf = (pid: number): string => readlinkSync(`/proc/${pid}/ns/net`);
  expect(netnsOf(here.pid)).toBe(readlinkSync('/proc/self/ns/net'));
  expect(netnsOf(there.pid)).toBe(readlinkSync(netns));
  expect(there.device.ports[0]?.gids).toEqual(here.device.ports[0]?.gids);
  await Promise.all([here.close(0), there.close(0)]);
});
