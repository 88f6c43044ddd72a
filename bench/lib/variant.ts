// A device built with other options than the product's, to be measured beside it.
import { join } from 'node:path';
import { root } from '../../scripts/lib/exec.mjs';
import { cmakeBuild } from '../../scripts/lib/native-stages.mjs';

/** Builds the device (seconds when it is there already) and gives the path of its library. `options` are CMake's. */
export async function builtWith(name: string, options: readonly string[]): Promise<string> {
  const folder = join(root, 'native', 'build', name);
  await cmakeBuild(folder, options, 'uroce');
  return join(folder, 'uroce', 'verbs', 'liburoce.so');
}
