/** A lab between the two kernel devices: its packets by libpcap, its counters by sysfs, its CPU by /proc. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { zRunResult, type RunResult } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { verbslab } from '../lib/agent.js';
import { checkIcrc, dissect } from '../lib/capture.js';
import { shell } from './guest.js';
import { hostAgent, type Ends } from './host-agent.js';

const run = promisify(execFile);

/** Labs that run here, so that the table of all labs need not run them again. */
export const INSTRUMENTED = ['minimal-flow', 'bulk'] as const;

/** Runs a lab from server to client, as a user would. Returns the output of `--json`. */
async function lab(
  home: string,
  name: (typeof INSTRUMENTED)[number],
  ends: Ends,
  sets: readonly string[],
): Promise<RunResult> {
  const places = [`server=${ends.server.vm.name}/rxe0`, `client=${ends.client.vm.name}/rxe0`];
  const words = ['run', name, ...places.flatMap((place) => ['--on', place]), '--json'];
  const { stdout } = await run(
    process.execPath,
    [verbslab, ...words, ...sets.flatMap((set) => ['--set', set])],
    { env: { ...process.env, VERBSLAB_HOME: home }, maxBuffer: 1 << 28 },
  );
  return zRunResult.parse(JSON.parse(stdout));
}

/** Parameters that an emulated processor on a busy host can carry. */
const GENTLE = [
  'duration=2',
  'omit=0.2',
  'completionMode=event',
  'depth=16',
  'capturePackets=600',
  'repeat=1',
];

export function instruments(ends: () => Ends): void {
  const agent = hostAgent(ends);

  it(
    'the minimal flow shows the kernel’s packets, each with the right ICRC',
    { timeout: 120_000 },
    async () => {
      const { checks, captureFile } = await lab(agent().home, 'minimal-flow', ends(), []);
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
    const result = await lab(agent().home, 'bulk', ends(), GENTLE);
    expect(result.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(result.checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['packets', 'icrc', 'recovery']),
    );
    const { packets, roce, malformed } = dissect(result.captureFile!);
    expect({ roce, malformed }).toEqual({ roce: packets, malformed: [] });
    expect(checkIcrc(result.captureFile!)).toEqual({ packets, wrong: 0 });
    const recovery = result.checks.find(({ id }) => id === 'recovery')?.detail ?? '';
    expect(recovery).toMatch(/^\d+ go-backs? in [\d,]{3,} packets /);
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
