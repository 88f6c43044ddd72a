// `npm run build` of this workspace: cmake-js configures and compiles the one CMake project into build/Release.
//
// cmake-js configures only when there is no build/CMakeCache.txt, so a cache that belongs to another place (a moved or
// copied clone, another node_modules) has to go first. Everything else Ninja notices by itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = realpathSync(dirname(fileURLToPath(import.meta.url)));
const build = join(here, 'build');
const cache = join(build, 'CMakeCache.txt');

if (existsSync(cache)) {
  const text = readFileSync(cache, 'utf8');
  const value = (name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, 'm').exec(text)?.[1] ?? '';
  const headers = value('CMAKE_JS_INC').split(';');
  if (value('CMAKE_HOME_DIRECTORY') !== here || !headers.every((path) => existsSync(path)))
    rmSync(build, { recursive: true });
}

const cmakeJs = createRequire(import.meta.url).resolve('cmake-js/bin/cmake-js');
const { status } = spawnSync(process.execPath, [cmakeJs, 'compile', '--generator', 'Ninja'], {
  cwd: here,
  stdio: 'inherit',
});
process.exit(status ?? 1);
