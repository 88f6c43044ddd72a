/** A lab between the two kernel devices: its packets by libpcap, its counters by sysfs, its CPU by /proc. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { zRunResult, type RunResult } from '@verbslab/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentClient } from '../../apps/agent/src/client/client.js';
import { addressOf } from '../../apps/agent/src/client/find.js';
import { homeAt } from '../../apps/agent/src/config/home.js';
import { readState } from '../../apps/agent/src/config/instance.js';
import { encodeInvitation } from '../../apps/agent/src/peers/join-string.js';
import type { Vm } from '../../apps/agent/src/vms/state.js';
import { newHome, removeHome, startAgent, verbslab, type RunningAgent } from '../lib/agent.js';
import { checkIcrc, dissect } from '../lib/capture.js';
import { shell, type End } from './guest.js';

const run = promisify(execFile);
/** The embedded device of the host's agent: no lab uses it, and it must not be in the way of others. */
const ADDRESS = '127.0.47.93';

async function pairWith(agent: RunningAgent, vm: Vm): Promise<void> {
  const at = homeAt(agent.home);
  const { client } = await AgentClient.connect(addressOf(readState(at)!, at));
  const { address: host, port, token, fingerprint } = vm.agent;
  await client.request('peers.add', {
    join: encodeInvitation({ host, port, token, fingerprint }),
    name: vm.name,
  });
  await client.close();
}

/** Runs a lab from server to client, as a user would, and gives what `--json` prints. */
async function lab(home: string, name: string, ends: Ends, sets: readonly string[]): Promise<RunResult> {
  const places = [`server=${ends.server.vm.name}/rxe0`, `client=${ends.client.vm.name}/rxe0`];
  const words = ['run', name, ...places.flatMap((place) => ['--on', place]), '--json'];
  const { stdout } = await run(
    process.execPath,
    [verbslab, ...words, ...sets.flatMap((set) => ['--set', set])],
    { env: { ...process.env, VERBSLAB_HOME: home }, maxBuffer: 1 << 28 },
  );
  return zRunResult.parse(JSON.parse(stdout));
}

interface Ends {
  server: End;
  client: End;
}

/** One processor emulated by a busy host is soon behind: no more than it can carry. */
const GENTLE = [
  'duration=2',
  'omit=0.2',
  'completionMode=event',
  'depth=16',
  'capturePackets=600',
  'repeat=1',
];

export function instruments(ends: () => Ends): void {
  const home = newHome();
  let agent: RunningAgent;

  beforeAll(async () => {
    agent = await startAgent(home, 0, { UROCE_ADDR: ADDRESS });
    for (const { vm } of Object.values(ends()) as End[]) await pairWith(agent, vm);
  }, 60_000);
  afterAll(async () => {
    await agent.stop();
    removeHome(home);
  }, 30_000);

  it(
    'the minimal flow shows the kernel’s packets, each with the right ICRC',
    { timeout: 120_000 },
    async () => {
      const { checks, captureFile } = await lab(home, 'minimal-flow', ends(), []);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(checks.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['quiet-setup', 'write-packets', 'read-packets', 'icrc']),
      );
      const { packets, roce, malformed } = dissect(captureFile!);
      expect({ roce, malformed }).toEqual({ roce: packets, malformed: [] });
      // An independent computation agrees: WRITE and READ of 10,000 bytes at 4096, an ACK and a request.
      expect(checkIcrc(captureFile!)).toEqual({ packets: 8, wrong: 0 });
    },
  );

  it('bulk has packets, counters, and the CPU outside of processes', { timeout: 240_000 }, async () => {
    const result = await lab(home, 'bulk', ends(), GENTLE);
    expect(result.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(result.checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['packets', 'icrc', 'recovery']),
    );
    const { packets, roce, malformed } = dissect(result.captureFile!);
    expect({ roce, malformed }).toEqual({ roce: packets, malformed: [] });
    expect(checkIcrc(result.captureFile!)).toEqual({ packets, wrong: 0 });
    const recovery = result.checks.find(({ id }) => id === 'recovery')?.detail ?? '';
    expect(recovery).toMatch(/^\d+ of [\d,]{3,} packets retransmitted/);
    for (const transport of ['rdma', 'tcp'] as const)
      expect(result.transports[transport]?.cpuSecondsPerGB?.outside).toBeGreaterThan(0);
  });

  it(
    'without CAP_NET_RAW the program says so',
    {
      timeout: 60_000,
    },
    async () => {
      const line =
        'setpriv --bounding-set=-net_raw --inh-caps=-net_raw /opt/verbslab/native/build/Release/vlcapture check';
      const { code, stderr } = await shell(ends().client, line);
      expect(code, stderr).toBe(3);
      expect(stderr).toMatch(/not permitted/);
    },
  );
}
