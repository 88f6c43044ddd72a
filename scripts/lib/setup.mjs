// Everything between a fresh clone and a built tree, each part skipped when it is already done.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exec, root } from './exec.mjs';
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

async function ensureModules() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(lockStamp) && readFileSync(lockStamp, 'utf8') === lock) return;
  step('installing Node packages (npm ci; about two minutes the first time)');
  await exec('npm', ['ci', '--no-audit', '--no-fund'], { quiet: true });
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
  await exec('npx', ['turbo', 'run', 'build', '--output-logs=errors-only', '--concurrency=2']);
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
  await ensureModules();
  await ensureBuild();
}
