/** What the labs of the track Memory measure, by arithmetic and by /proc; times are not asserted. */
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

const LINKS = ['udp', 'auto'] as const;
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

/** A program under a limit on locked memory, as an ordinary user has it. */
function underMemlock(program: string, bytes: number, ...args: string[]): Record<string, unknown> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const command = ['prlimit', `--memlock=${bytes}`, process.execPath, '--import', 'tsx', path, ...args];
  // Root may lock what it likes by CAP_IPC_LOCK, unless it gives that up.
  if (process.getuid?.() === 0) command.unshift('setpriv', '--bounding-set=-ipc_lock');
  const [name = '', ...rest] = command;
  return JSON.parse(execFileSync(name, rest, { encoding: 'utf8' })) as Record<string, unknown>;
}

describe('registration-cost', () => {
  it('registers every size and locks every page', async () => {
    const run = await done('registration-cost', { params: { largest: MIB, rounds: 3, hugePages: false } });
    const { limit, ...others } = verdicts(run);
    expect(others).toEqual({
      faults: true,
      'no-faults': true,
      locked: true,
      unaligned: true,
      grows: true,
    });
    expect(limit === null || limit === true).toBe(true);
    expect(rows(run, 'sizes').map(({ size, locked }) => [size, locked])).toEqual(
      [4, 16, 64, 256, 1024].map((kib) => [kib * KIB, kib * KIB]),
    );
    expect(figure(run, 'table')).toBe((figure(run, 'pages') ?? NaN) * 8);
    expect(run.answer).toContain('Registering 1 MiB took');
  });

  it('computes the tables of the exercises', async () => {
    const run = await done('registration-cost', { params: { largest: 16 * KIB, rounds: 3 } });
    const table = (size: number, page: number) =>
      rows(run, 'tables').find((row) => row.size === size && row.page === page);
    expect(table(1024 * MIB, 4 * KIB)).toMatchObject({ pages: 262_144, table: 2 * MIB });
    expect(table(16 * 1024 * MIB, 4 * KIB)).toMatchObject({ pages: 4_194_304, table: 32 * MIB });
    expect(table(512 * MIB, 4 * KIB)).toMatchObject({ table: MIB });
    expect(table(1024 * MIB, 2 * MIB)).toMatchObject({ pages: 512, table: 4 * KIB });
  });

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

describe.each(LINKS)('mr-cache over %s', (link) => {
  const counts = (run: LabRun): unknown[] => ['misses', 'hits', 'evictions'].map((name) => figure(run, name));
  const all = (expected: boolean | null): object => ({
    ...{ counted: true, expected, bounded: true, returned: true, bytes: true },
  });

  it.each([
    ['room for all', {}, [4, 36, 0], true],
    ['one short', { capacity: 3 }, [40, 0, 37], true],
    ['one short, most recent first', { capacity: 3, eviction: 'mru' }, [16, 24, 13], null],
    ['no cache', { capacity: 0, order: 'random' }, [40, 0, 40], true],
  ] as const)('counts: %s', async (_, params, expected, arithmetic) => {
    const run = await done('mr-cache', {
      params: { ...params, rounds: 3 },
      env: { UROCE_LINK: link },
    });
    expect(counts(run)).toEqual(expected);
    expect(verdicts(run)).toEqual(all(arithmetic));
    expect(rows(run, 'messages')).toHaveLength(40);
    // Warm-up, then every round with the cache and without it.
    const registrations = run.recording.calls('client').filter((call) => call === 'ibv_reg_mr');
    expect(registrations).toHaveLength(4 + 3 * (expected[0] + 40) + 1);
    expect(run.answer).toContain(`${expected[0]} misses, ${expected[1]} hits`);
  });
});

describe.each(LINKS)('register-or-copy over %s', (link) => {
  it('registers as often as each way says', async () => {
    const run = await done('register-or-copy', {
      params: { messages: 16, rounds: 3 },
      env: { UROCE_LINK: link },
    });
    expect(verdicts(run)).toEqual({ once: true, copy: true, each: true, bytes: true });
    const [register, copy, find] = ['register', 'copy', 'reuse'].map((name) => figure(run, name)!);
    const even = copy! > find! ? Math.floor(register! / (copy! - find!)) + 1 : null;
    expect(figure(run, 'break-even')).toBe(even);
    expect(rows(run, 'sizes').map(({ size }) => size)).toEqual([4, 16, 64, 256, 1024].map((n) => n * KIB));
    expect(run.recording.of('point').filter(({ curve }) => curve === 'sum')).toHaveLength(3 * 16);
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
