// The stages of the native part: CMake builds, and ctest over all tests.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { exec, inNetns } from './exec.mjs';
import { withProgress } from './progress.mjs';
import { afterSecondAttempt, failure, mayPassAgain, readJunit } from './reports.mjs';
import { add, reports } from './stage.mjs';

/** Builds in progress, by their folder, in which only one may be. */
const inProgress = new Map();

/** Configures and builds `target` of the `sources` in `folder`, after a build there that is in progress. */
export async function cmakeBuild(folder, options, target, { nice = false, sources = 'native' } = {}) {
  const before = inProgress.get(folder);
  const build = async () => {
    // The caller of the earlier build learns of its failure.
    await before?.catch(() => {});
    await exec('cmake', ['-S', sources, '-B', folder, '-G', 'Ninja', ...options], { quiet: true, nice });
    const args = ['--build', folder, '--target', target, '--parallel', String(cpus().length)];
    await withProgress(folder, (watch) => exec('cmake', args, { quiet: true, nice, watch }));
  };
  const done = build();
  inProgress.set(folder, done);
  await done;
}

/**
 * Tests that use sockets, threads or other processes hold the lock `host`; those that only compute run beside them. The
 * locked ones have the higher COST, so that their line, the longest, begins at once.
 */
async function ctestOnce(folder, name, args, env) {
  const report = join(reports, `${name}.xml`);
  rmSync(report, { force: true });
  // They flood addresses and count what arrives there; other tests have devices on the same ones.
  const [program, ...words] = [...inNetns(), 'ctest'];
  await exec(
    program,
    [
      ...words,
      '--test-dir',
      folder,
      '--output-on-failure',
      '--timeout',
      '600',
      '--parallel',
      String(cpus().length),
      '-Q',
      '--output-junit',
      report,
      ...args,
    ],
    // Low priority, since it runs beside others (test.mjs).
    { allowFailure: true, env, nice: true },
  );
  if (!existsSync(report)) return failure(`ctest ${folder}`, 'left no report');
  const counts = await readJunit(readFileSync(report, 'utf8'));
  return counts.passed + counts.failed === 0 ? failure(`ctest ${folder}`, 'found no test') : counts;
}

/** Runs ctest. The rule of vitest.config.ts applies: in CI one stumble is named, and does not fail the whole. */
async function ctest(folder, name, args = [], env = {}) {
  const first = await ctestOnce(folder, name, args, env);
  const again = first.failures?.filter(mayPassAgain) ?? [];
  if (!process.env.CI || again.length === 0) return first;
  const names = again.map((one) => one.name.replaceAll(/[.+*?()[\]^$|\\]/g, String.raw`\$&`));
  const only = ['-R', `^(${names.join('|')})$`];
  return afterSecondAttempt(first, await ctestOnce(folder, `${name}-again`, only, env));
}

/** All tests and fuzzers of the native part. */
export const testPrograms = 'test_programs';

/** The folder of the product, where all is compiled but the tests themselves. */
export const product = 'native/build';

export const buildTests = (target = testPrograms, options = {}) =>
  cmakeBuild(product, ['-DVERBSLAB_TESTS=ON'], target, options);

/** Unit, property and simulation tests of the device and the measuring loops. */
export async function native() {
  await buildTests(testPrograms, { nice: true });
  return ctest(product, 'native');
}

const clang = [
  '-DCMAKE_C_COMPILER=clang-19',
  '-DCMAKE_CXX_COMPILER=clang++-19',
  '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
];

const THREADS = { folder: 'native/build-tsan', options: ['-DVERBSLAB_SANITIZE=thread'] };
/** Build of the tests and the fuzzers: the device is compiled once for both. */
const ADDRESSES = {
  folder: 'native/build-asan',
  options: ['-DVERBSLAB_SANITIZE=address,undefined', '-DVERBSLAB_FUZZ=ON'],
};

const buildWith = ({ folder, options }, target, { nice = false } = {}) =>
  cmakeBuild(folder, [...clang, '-DVERBSLAB_TESTS=ON', ...options], target, { nice });

/** The program with the tests of the ring in shared memory. */
const RING = 'net_tests';

/** The long simulation runs once, in `native`. */
const short = ['-LE', 'long'];

/** Some tests fork when the device has its thread; their children have one again. */
async function withThreads(name, args, target = testPrograms) {
  await buildWith(THREADS, target);
  return ctest(THREADS.folder, name, args, { TSAN_OPTIONS: 'die_after_fork=0:second_deadlock_stack=1' });
}

/**
 * Runs the unit tests under AddressSanitizer and UBSan, and those of the ring in shared memory under ThreadSanitizer.
 */
export async function sanitized() {
  await buildWith(ADDRESSES, testPrograms);
  const all = await ctest(ADDRESSES.folder, 'sanitized', short);
  const ring = ['-R', '^(ShmRing|ShmLink|ShmBell|HostileRing)\\.'];
  return add(all, await withThreads('tsan-ring', ring, RING));
}

/** Compiles what `sanitized` and `fuzz` run, in the time that other stages leave. */
export async function compile() {
  const options = { nice: true };
  await buildWith(ADDRESSES, testPrograms, options);
  await buildWith(THREADS, RING, options);
  return { passed: 2, failed: 0 };
}

/** The folder of the fuzzers, which are built there. */
export async function fuzzers() {
  await buildWith(ADDRESSES, 'fuzzers', { nice: true });
  return `${ADDRESSES.folder}/fuzz`;
}

/** All of them under ThreadSanitizer. */
export const tsan = () => withThreads('tsan', short);
