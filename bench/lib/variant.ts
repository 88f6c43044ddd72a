// A device built with other options than the product's, or of another revision, to be measured beside it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { exec, root } from '../../scripts/lib/exec.mjs';
import { cmakeBuild } from '../../scripts/lib/native-stages.mjs';

const libraryIn = (folder: string): string => join(folder, 'uroce', 'verbs', 'liburoce.so');

/** Builds the device (seconds when it is there already) and gives the path of its library. `options` are CMake's. */
export async function builtWith(name: string, options: readonly string[]): Promise<string> {
  const folder = join(root, 'native', 'build', name);
  await cmakeBuild(folder, options, 'uroce');
  return libraryIn(folder);
}

/** Builds the device as it was at a revision of git (minutes, seconds when it is there already) and gives the path of its library. */
export async function builtAt(revision: string): Promise<string> {
  const { output } = await exec('git', ['rev-parse', '--short', '--verify', `${revision}^{commit}`], {
    quiet: true,
  });
  const folder = join(root, 'artifacts', 'builds', output.trim());
  const sources = join(folder, 'native');
  mkdirSync(sources, { recursive: true });
  await exec('sh', ['-c', 'git archive "$1" native | tar -x -C "$2"', 'sh', revision, folder], {
    quiet: true,
  });
  const build = join(folder, 'build');
  await cmakeBuild(build, [], 'uroce', { sources });
  return libraryIn(build);
}
