/** Rings between many processes, and with processes that break the rules. */
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { start } from './run.js';

const programs = new Programs();
afterAll(() => {
  programs.remove();
});
if (!able) console.warn('there is no compiler, or no libibverbs headers: tests of rings are skipped');

// Processes of other tests would count as peers on a shared address.
const address = `127.0.${String(100 + (process.pid % 100))}.${String(1 + (process.pid % 250))}`;

describe.skipIf(!able).each(['shm', 'auto'])('64 processes that all talk to each other, %s', (link) => {
  it('lose nothing, stay below a gibibyte, use no CPU when idle, and leave nothing behind', async () => {
    const { code, output } = await start(programs.compile('all_to_all'), ['64'], {
      env: { UROCE_ADDR: address, UROCE_LINK: link },
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toContain('64 processes exchanged and checked everything');
    const weight = output.match(
      /^(\d+) rings, (\d+) bytes a pair at most, (\d+) bytes if all are full, (\d+) bytes now$/m,
    );
    const [rings = 0, pair = NaN, full = NaN, now = NaN] = (weight ?? []).slice(1).map(Number);
    expect(rings).toBe(64 * 63);
    expect(pair).toBeLessThanOrEqual(4 << 20);
    expect(full).toBeLessThan(1 << 30);
    expect(now).toBeLessThanOrEqual(full);
    // A thread that sleeps without a timer causes no switches at all, with or without a device.
    expect(output).toContain(
      'idle: 0 ns of CPU and 0 switches in 64 processes, 0 and 0 in one without a device',
    );
  });
});

describe.skipIf(!able)('a process of the same user that does all it can to another one', () => {
  it('breaks its own rings; the other one verifies its data, counts, replaces and frees them', async () => {
    const seed = process.env['SEED'] ?? String(Date.now() % 1_000_000);
    const { code, output } = await start(programs.compile('hostile'), [seed], {
      env: { UROCE_ADDR: address, UROCE_LINK: 'auto' },
    }).finished;
    expect(code, `seed ${seed}: ${output}`).toBe(0);
    expect(output).toMatch(
      /^[1-9]\d* verified rounds, [1-9]\d* broken rings, [1-9]\d* connections turned away$/m,
    );
  });
});

describe.skipIf(!able)('a process whose peer is stopped', () => {
  it('gets retry exceeded on every RC queue pair, loses and counts UC and UD packets, and does not run meanwhile', async () => {
    const { code, output } = await start(programs.compile('stopped'), [], {
      env: { UROCE_ADDR: address, UROCE_LINK: 'auto' },
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(
      /^12 queue pairs ended with retry exceeded, [1-9]\d* packets lost and counted, asleep meanwhile$/m,
    );
  });
});
