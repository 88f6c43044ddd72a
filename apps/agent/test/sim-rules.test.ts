/** `verbslab sim` about rules that match nothing, limits, and memory that runs out. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vlsimPath } from '@verbslab/native';
import type { Scenario, SimulationResult } from '@verbslab/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { verbslab } from './helpers/cli.js';

const home = mkdtempSync(join(tmpdir(), 'verbslab-sim-rules-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function save(scenario: Scenario): string {
  const file = join(home, 'scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}
const sim = (scenario: Scenario, ...args: string[]) => verbslab(home, ['sim', save(scenario), ...args]);
const resultOf = (out: string) => (JSON.parse(out) as { result: SimulationResult }).result;

const INCAST = { topology: { hosts: 4 }, duration_us: 100, traffic: [{ kind: 'incast', to: 0 }] };
/** Begins flows faster than they can end. */
const FLOOD = {
  duration_us: 1e7,
  topology: { hosts: 64 },
  traffic: [{ kind: 'storage', bytes: 100, load: 2 }],
};

describe('rules of a scenario', () => {
  it('are named if they had no effect', async () => {
    const scenario = {
      ...INCAST,
      link: { lose_every: 100_000 },
      changes: [{ at_us: 5000, loss: 0.5 }],
      stop_at: { timeout: true },
    };
    const { out, code } = await sim(scenario);
    expect(code).toBe(0);
    expect(out).toMatch(
      /Rules without effect\n {2}link\.lose_every 100000 matched no packet: at most \d+ data/,
    );
    expect(out).toContain('  changes[0] was not made: it is due at 5000 us, and the run ended at 100 us.');
    const { notes } = resultOf((await sim(scenario, '--json')).out);
    expect(notes).toHaveLength(3);
    expect(resultOf((await sim(INCAST, '--json')).out).notes).toEqual([]);
  });

  it.each<[Scenario, string]>([
    [{ changes: [{ at_us: 1, switch: 1, ecn: true }] }, 'changes[0].switch must be from 0 to 0'],
    [{ changes: [{ at_us: 1, host: 2, loss: 1 }] }, 'changes[0].host must be from 0 to 1'],
    [
      { topology: { kind: 'back-to-back' }, changes: [{ at_us: 1, switch: 0, ecn: true }] },
      'changes[0].switch does not exist: the topology has no switch',
    ],
    [
      {
        topology: { kind: 'rail', hosts: 4, rails: 2, spines: 0 },
        traffic: [{ kind: 'flow', from: 2, to: 5 }],
      },
      'traffic[0] has no route from host 2 to host 5',
    ],
  ])('%j are refused', async (scenario, why) => {
    const { err, code } = await sim(scenario);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });
});

describe('a run that cannot go on', () => {
  it.each<[string, object, RegExp]>([
    ['events', { events: 400_000 }, /It has had 400000 events \(limits\.events\)/],
    ['memory', { memory_mib: 48 }, /It holds more than 48 MiB \(limits\.memory_mib\)/],
  ])('because of its limit of %s says so, and keeps what it did', async (by, limits, why) => {
    const { out, err, code } = await sim({ ...FLOOD, limits });
    expect(code).toBe(1);
    expect(err).toMatch(why);
    expect(out).toContain(`ended by ${by}`);
    expect(out).toContain('all hold');
    const { us, packets } = resultOf((await sim({ ...FLOOD, limits }, '--json')).out);
    expect(us).toBeGreaterThan(0);
    expect(packets['data']!.delivered).toBeGreaterThan(100);
  });

  it('for want of queue pairs names the host and its limit', async () => {
    const { err, code } = await sim({
      topology: { hosts: 4095 },
      transport: { qps: 2 },
      traffic: [{ kind: 'incast', to: 7, count: 2 }],
    });
    expect(code).toBe(1);
    expect(err).toContain('Host 7 has no queue pair left: a host has at most 4094.');
  });

  it('for want of memory writes its result all the same', async () => {
    // Each connection takes 200 KB. Address space in KiB: enough to build the fabric.
    const wide = { ...FLOOD, transport: { depth: 1024, qps: 64 } };
    const limited = `ulimit -v 1600000; exec '${vlsimPath}' '${save(wide)}'`;
    const { code, stdout, stderr } = await promisify(execFile)('bash', ['-c', limited]).then(
      (done) => ({ ...done, code: 0 }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    expect(code).toBe(4);
    expect(stderr).toMatch(/^vlsim: the run was ended at [\d.]+ us: The system has no/);
    const result = JSON.parse(stdout.trim().split('\n').at(-1)!) as SimulationResult;
    expect(result).toMatchObject({ stopped_by: 'memory', laws: { broken: [] } });
    expect(result.us).toBeGreaterThan(0);
  });
});
