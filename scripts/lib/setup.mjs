// Setup from a fresh clone to a built tree; each part is skipped when it is already done.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exec, root } from './exec.mjs';
import { ofFailedTasks, withProgress } from './progress.mjs';
import { done, step, Trouble } from './say.mjs';
import { ensurePackages } from './system-packages.mjs';

const OLDEST_NODE = [20, 19];

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Trouble(`Node ${OLDEST_NODE.join('.')} or later is needed; this is ${process.version}.`);
  }
}

const lockStamp = join(root, 'node_modules', '.verbslab-lock');
const buildStamp = join(root, 'node_modules', '.verbslab-build');

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

const modulesAreComplete = (lock) => existsSync(lockStamp) && readFileSync(lockStamp, 'utf8') === lock;

/** Says why npm failed, under an `npm test --silent` too, which silences the npm that it starts. */
const NPM = ['--loglevel', 'error'];

async function unpackModules() {
  rmSync(lockStamp, { force: true });
  step('installing Node packages (npm ci; about a minute the first time)');
  await exec('npm', ['ci', ...NPM, '--ignore-scripts', '--no-audit', '--no-fund'], { quiet: true });
}

/** The packages with native code; the build needs none of them. SQLite is one file: with -O3 it takes one core half a minute. */
async function compileModules(lock) {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await exec('npm', ['rebuild', ...NPM, ...Object.keys(allowScripts)], {
    quiet: true,
    env: { CFLAGS: '-O1' },
  });
  writeFileSync(lockStamp, lock);
  done('Node packages are in place');
}

const SOURCES = [
  'apps',
  'packages',
  'native',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'turbo.json',
];
const NOT_SOURCES = /^(node_modules|dist|out|build|build-.*|\.next|\.turbo|test|tests|testdata|coverage)$/;

/** The newest modification time (ms) of any source file and of any folder that holds one (so a deletion counts). */
function newest(path) {
  const stat = statSync(path);
  let time = stat.mtimeMs;
  if (stat.isDirectory()) {
    for (const name of readdirSync(path)) {
      if (!NOT_SOURCES.test(name)) time = Math.max(time, newest(join(path, name)));
    }
  }
  return time;
}

/** True when nothing has changed since the last complete build. A walk over the sources: some 20 ms. */
export function isBuilt() {
  if (!existsSync(buildStamp)) return false;
  const built = Number(readFileSync(buildStamp, 'utf8'));
  return SOURCES.every((path) => newest(join(root, path)) <= built);
}

async function ensureBuild() {
  if (isBuilt()) return;
  const started = Date.now();
  step('building (native device, packages, agent, dashboard; a few minutes the first time)');
  const turbo = ['turbo', 'run', 'build', '--output-logs=new-only', '--log-order=stream', '--concurrency=2'];
  const { code, output } = await withProgress('native device', (watch) =>
    exec('npx', turbo, { quiet: true, allowFailure: true, watch }),
  );
  if (code !== 0) throw new Trouble(`the build failed\n${ofFailedTasks(output)}`);
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  // Building writes into source folders (next-env.d.ts and the like), so the stamp is taken afterwards.
  writeFileSync(buildStamp, String(Math.max(Date.now(), ...SOURCES.map((path) => newest(join(root, path))))));
  done(`built in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** @param {{test?: boolean}} purpose `test` also brings the peers and tools that the tests judge by. */
export async function setup({ test = false } = {}) {
  checkNode();
  if (!test && existsSync(lockStamp) && isBuilt()) return;
  await ensurePackages(test ? ['build', 'test'] : ['build']);
  const lock = lockHash();
  if (modulesAreComplete(lock)) return ensureBuild();
  await unpackModules();
  const parts = await Promise.allSettled([compileModules(lock), ensureBuild()]);
  const failed = parts.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}
