import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Check } from '@verbslab/protocol';
import { expect, it } from 'vitest';

const MIB = 1024 * 1024;

/** Runs the program with an ordinary user's limit: 8 MiB may be locked, and no capability allows more. */
function underMemlock(...args: string[]): { checks: Check[]; answer: string } {
  const program = fileURLToPath(new URL('./clinic-memlock.ts', import.meta.url));
  const command = ['prlimit', `--memlock=${8 * MIB}`, process.execPath, '--import', 'tsx', program, ...args];
  if (process.getuid?.() === 0) command.unshift('setpriv', '--bounding-set=-ipc_lock');
  const [name = '', ...rest] = command;
  return JSON.parse(execFileSync(name, rest, { encoding: 'utf8' })) as { checks: Check[]; answer: string };
}

it('refuses more than may be locked with ENOMEM, on a strict device', () => {
  const { checks, answer } = underMemlock('strict');
  expect(checks).toEqual([
    {
      id: 'symptoms',
      ok: true,
      detail: 'With the mistake: ENOMEM. The client asked for 9 MiB with a limit of 8 MiB.',
    },
    expect.objectContaining({ id: 'fixed', ok: true }),
  ]);
  expect(answer).toContain('More memory than may be locked. Raise the limit');
});

it('says how much a device that is not strict left unpinned', () => {
  const { checks, answer } = underMemlock();
  expect(checks.every((check) => 'applies' in check)).toBe(true);
  expect(answer).toContain('unpinned');
});
