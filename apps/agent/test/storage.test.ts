import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openHome, type Home } from '../src/config/home.js';
import { loadToken } from '../src/config/token.js';
import { readBook } from '../src/config/peer-book.js';
import { newHome } from './helpers/agent.js';
import { helperProgram } from './helpers/programs.js';

const program = helperProgram('full-disk');

/** A small disk of its own needs a mount namespace, which not every machine lets a user make. */
const mounts = spawnSync('unshare', ['-m', 'true']).status === 0;

/** Runs the helper with VERBSLAB_HOME on a disk of 4 MiB. */
function onSmallDisk(what: string): unknown {
  const folder = newHome();
  const script = 'mount -t tmpfs -o size=4m none "$1" && exec "$2" "$3" "$4" "$1"';
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-m', 'sh', '-c', script, 'sh', folder, process.execPath, program, what],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('a damaged file of the data directory', () => {
  it.each([
    ['token', (home: Home) => home.token, (home: Home) => loadToken(home.token)],
    ['list of paired agents', (home: Home) => home.peers, readBook],
  ])('(%s) is named, with what to do about it', (_what, pathOf, read) => {
    const home = openHome(newHome());
    const path = pathOf(home);
    writeFileSync(path, 'garbage');
    expect(() => read(home)).toThrow(
      expect.objectContaining({
        code: 'DAMAGED_FILE',
        message: expect.stringContaining(`The file ${path} is damaged`) as string,
        info: expect.objectContaining({
          cure: expect.stringMatching(/^Delete it, then/) as string,
        }) as object,
      }) as Error,
    );
  });
});

it('a data directory where none can be made is refused at once', () => {
  expect(() => openHome('/proc/verbslab/home')).toThrow(
    expect.objectContaining({ code: 'DATA_DIRECTORY' }) as Error,
  );
});

describe.runIf(mounts)('a data directory', () => {
  it('on a full disk: the start says so, with path, free space and cure', () => {
    expect(onSmallDisk('start')).toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(
        /^The disk of .*\/home.* or your quota on it is full: 0 B are free\.$/,
      ) as string,
      cure: expect.stringContaining('VERBSLAB_HOME') as string,
    });
  });

  it('on a disk that fills: no run begins, and one in progress ends with its reason and what it has', () => {
    const { begun, ended, after } = onSmallDisk('run') as {
      begun: { code: string };
      ended: { state: string; error: { code: string }; notes: number; lastKind: string };
      after: { state: string; error: { code: string } };
    };
    expect(begun.code).toBe('DISK_FULL');
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'DISK_FULL' }, lastKind: 'run.state' });
    expect(ended.notes).toBeGreaterThan(0);
    // The next agent finds the run ended, not interrupted.
    expect(after).toMatchObject({ state: 'failed', error: { code: 'DISK_FULL' } });
  });

  it('on a disk that is mounted read-only: says that, not that a folder is missing', () => {
    expect(onSmallDisk('read-only')).toMatchObject({ code: 'READ_ONLY' });
  });
});
