import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MIB = 1024 * 1024;

/** Runs the program with an ordinary user's limit: 1 MiB may be locked, and no capability allows more. */
function underMemlock(...args: string[]): Record<string, unknown> {
  const program = fileURLToPath(new URL('./endpoint-memlock.ts', import.meta.url));
  const command = ['prlimit', `--memlock=${MIB}`, process.execPath, '--import', 'tsx', program, ...args];
  // CAP_IPC_LOCK lets root lock any amount, unless it is dropped.
  if (process.getuid?.() === 0) command.unshift('setpriv', '--bounding-set=-ipc_lock');
  const [name = '', ...rest] = command;
  return JSON.parse(execFileSync(name, rest, { encoding: 'utf8' })) as Record<string, unknown>;
}

it('registers more than may be locked, and counts what is not pinned', () => {
  const { pinned } = underMemlock() as { pinned: Record<string, number> };
  expect(pinned.memlockLimit).toBe(MIB);
  expect(pinned.pinnedBytes).toBeLessThanOrEqual(MIB);
  expect((pinned.pinnedBytes ?? 0) + (pinned.unpinnedBytes ?? 0)).toBe(16 * MIB);
});

it('refuses it in strict mode, and says what to do', () => {
  expect(underMemlock('strict')).toEqual({
    error: {
      code: 'VERBS',
      message: expect.stringMatching(/^ibv_reg_mr \(16777216 bytes\) failed: .*ENOMEM/) as string,
      cure: expect.stringContaining('ulimit -l') as string,
    },
  });
});
