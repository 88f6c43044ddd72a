/** Measurements of the labs of the track Memory, tested by arithmetic and by /proc; times are not asserted. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findLab } from '@verbslab/labs';
import { afterEach, describe, expect, it } from 'vitest';
import { Recording, startLab, type LabRun, type LabRunOptions } from './endpoint-harness.js';

const runs: LabRun[] = [];
afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.close()));
});

async function done(id: string, options: LabRunOptions = {}): Promise<LabRun> {
  const run = await startLab(findLab(id), options);
  runs.push(run);
  await run.finished;
  return run;
}

const KIB = 1024;
const MIB = 1024 * KIB;

const figure = ({ recording }: LabRun, name: string): number | null | undefined =>
  recording.of('figure').find((one) => one.name === name)?.value;
const rows = ({ recording }: LabRun, table: string): Record<string, unknown>[] =>
  recording
    .of('row')
    .filter((one) => one.table === table)
    .map(({ cells }) => cells);
const verdicts = ({ checks }: LabRun): Record<string, unknown> =>
  Object.fromEntries(checks.map(({ id, ok, applies }) => [id, applies === false ? null : ok]));

/** Runs a program with an ordinary user's limit on locked memory. */
function underMemlock(program: string, bytes: number, ...args: string[]): Record<string, unknown> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const command = ['prlimit', `--memlock=${bytes}`, process.execPath, '--import', 'tsx', path, ...args];
  // CAP_IPC_LOCK lets root lock any amount, unless it is dropped.
  if (process.getuid?.() === 0) command.unshift('setpriv', '--bounding-set=-ipc_lock');
  const [name = '', ...rest] = command;
  return JSON.parse(execFileSync(name, rest, { encoding: 'utf8' })) as Record<string, unknown>;
}

describe('registration-cost', () => {
  it('says what a limit on locked memory did', () => {
    const lenient = underMemlock('./registration-limit.ts', MIB) as {
      limit: { ok: boolean; detail: string };
    };
    expect(lenient.limit.ok).toBe(true);
    expect(lenient.limit.detail).toMatch(/of 4 MiB, 1 MiB were locked.*ulimit -l/s);
    const strict = underMemlock('./registration-limit.ts', MIB, 'strict') as typeof lenient;
    expect(strict.limit.ok).toBe(true);
    expect(strict.limit.detail).toMatch(/^Registering 4 MiB failed; the limit is 1 MiB.*ulimit -l/s);
  });
});

describe('mr-cache', () => {
  const counts = (run: LabRun): unknown[] => ['misses', 'hits', 'evictions'].map((name) => figure(run, name));
  const all = (expected: boolean | null): object => ({
    ...{ counted: true, expected, bounded: true, returned: true, bytes: true },
  });

  it.each([
    ['one short', { capacity: 3 }, [40, 0, 37], true],
    ['one short, most recent first', { capacity: 3, eviction: 'mru' }, [16, 24, 13], null],
    ['no cache', { capacity: 0, order: 'random' }, [40, 0, 40], true],
  ] as const)('counts: %s', async (_, params, expected, arithmetic) => {
    const run = await done('mr-cache', { params: { ...params, rounds: 3 } });
    expect(counts(run)).toEqual(expected);
    expect(verdicts(run)).toEqual(all(arithmetic));
    expect(rows(run, 'messages')).toHaveLength(40);
    // A warm-up comes first, then every round with the cache and without it.
    const registrations = run.recording.calls('client').filter((call) => call === 'ibv_reg_mr');
    expect(registrations).toHaveLength(4 + 3 * (expected[0] + 40) + 1);
    expect(run.answer).toContain(`${expected[0]} misses, ${expected[1]} hits`);
  });
});

describe('an endpoint', () => {
  it('refuses registrations that do not fit into free memory', async () => {
    const endpoint = await new Recording().spawn('program');
    try {
      const { pd } = await endpoint.call('allocPd', {});
      const asked = endpoint.call('timeRegistrations', {
        pd,
        length: 0x1_0000_0000,
        times: 1000,
        access: ['LOCAL_WRITE'],
      });
      await expect(asked).rejects.toMatchObject({ code: 'LIMIT' });
    } finally {
      await endpoint.close(2000);
    }
  });
});
