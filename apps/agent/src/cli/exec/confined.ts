import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The launcher of a confined program and its options, in the file that the agent wrote. */
export const readLauncher = (file: string): string[] =>
  z
    .array(z.string())
    .min(1)
    .parse(JSON.parse(readFileSync(file, 'utf8')));

/** The launcher knows the socket of the feed, the only one that the program may connect to by its name. */
export function launch(
  [path, ...options]: readonly string[],
  feed: string | undefined,
  command: readonly string[],
): { path: string; args: string[]; argv0?: string } {
  const known = feed === undefined ? [] : ['--feed', feed];
  return { path: path!, args: [...options, ...known, '--', ...command] };
}

const folderOf = (file: string): string => {
  const launcher = readLauncher(file);
  return launcher[launcher.indexOf('--folder') + 1]!;
};

const callLinesIn = (folder: string): string => join(folder, '.call-lines');

/** File in which a confined TypeScript program records the lines of its calls. */
export const callLinesFile = (file: string): string => callLinesIn(folderOf(file));

/**
 * Nothing of the agent’s environment, which may hold secrets and settings of a device that the program cannot reach.
 */
export function confinedEnvironment(file: string): NodeJS.ProcessEnv {
  const folder = folderOf(file);
  return {
    ...{ PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder, NO_COLOR: '1' },
    UROCE_PATHS: join(folder, '.device'),
    VERBSLAB_CALL_LINES: callLinesIn(folder),
  };
}
