// The stages of `npm test`. Each runs a real runner, reads the runner's own report, and returns counts.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec, root } from './exec.mjs';
import { withProgress } from './progress.mjs';
import { failure, readJunit, readPlaywright, readVitest } from './reports.mjs';
import { step, Trouble, warn } from './say.mjs';
import { ensurePackages } from './system-packages.mjs';

export const reports = join(root, 'artifacts', 'reports');

/** One check that has no report of its own: passes or fails by its exit code. */
export async function single(program, args, options) {
  const { code, output } = await exec(program, args, { ...options, quiet: true, allowFailure: true });
  if (code === 0) return { passed: 1, failed: 0 };
  return failure([program, ...args].join(' '), `ended with ${code}\n${output}`);
}

const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: (a.skipped ?? 0) + (b.skipped ?? 0),
  failures: [...(a.failures ?? []), ...(b.failures ?? [])],
});

/** ESLint and the type check take one core each; what is short goes behind the shorter of them. */
async function lint() {
  const queues = [
    [['npx', ['eslint', '.', '--max-warnings', '0']]],
    [
      ['node', ['scripts/typecheck-tests.mjs']],
      ['npx', ['prettier', '--check', '--log-level', 'warn', '.']],
      ['node', ['scripts/clang-format.mjs', '--check']],
      ['node', ['scripts/layers.mjs', '--check']],
      ['node', ['scripts/import-circles.mjs']],
    ],
  ];
  const counts = await Promise.all(
    queues.map(async (checks) => {
      let total = { passed: 0, failed: 0 };
      for (const [program, args] of checks) total = add(total, await single(program, args));
      return total;
    }),
  );
  return counts.reduce(add);
}

export async function cmakeBuild(folder, options, target) {
  await exec('cmake', ['-S', 'native', '-B', folder, '-G', 'Ninja', ...options], { quiet: true });
  const build = ['--build', folder, '--target', target, '--parallel', String(cpus().length)];
  await withProgress(folder, (watch) => exec('cmake', build, { quiet: true, watch }));
}

/** Tests that use sockets, threads or other processes hold the lock `host`; those that only compute run beside them. */
async function ctest(folder, name, args = [], env = {}) {
  const report = join(reports, `${name}.xml`);
  rmSync(report, { force: true });
  await exec(
    'ctest',
    [
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
    { allowFailure: true, env },
  );
  if (!existsSync(report)) return failure(`ctest ${folder}`, 'left no report');
  const counts = await readJunit(readFileSync(report, 'utf8'));
  return counts.passed + counts.failed === 0 ? failure(`ctest ${folder}`, 'found no test') : counts;
}

/** All tests, or all fuzzers, of the native part. */
const testPrograms = 'test_programs';

/** The folder of the product, where all is compiled but the tests themselves. */
export const product = 'native/build';

export const buildTests = (target = testPrograms) => cmakeBuild(product, ['-DVERBSLAB_TESTS=ON'], target);

/** Unit, property and simulation tests of the device and the measuring loops. */
async function native() {
  await buildTests();
  return ctest(product, 'native');
}

const clang = [
  '-DCMAKE_C_COMPILER=clang-19',
  '-DCMAKE_CXX_COMPILER=clang++-19',
  '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
];

/** The same unit tests with sanitizers. The long simulation runs once, in `native`. */
async function ctestWith(sanitizers, folder, name, env) {
  const options = [...clang, '-DVERBSLAB_TESTS=ON', `-DVERBSLAB_SANITIZE=${sanitizers}`];
  await cmakeBuild(folder, options, testPrograms);
  return ctest(folder, name, ['-LE', 'long'], env);
}

/** AddressSanitizer and UBSan. */
const sanitized = () => ctestWith('address,undefined', 'native/build-asan', 'sanitized');

/** ThreadSanitizer. Some tests fork when the device has its thread; their children have one again. */
export const tsan = () =>
  ctestWith('thread', 'native/build-tsan', 'tsan', {
    TSAN_OPTIONS: 'die_after_fork=0:second_deadlock_stack=1',
  });

/** Every fuzzer, two at a time. A new crash file is a failure. */
async function fuzz(fuzzSeconds = Number(process.env.VERBSLAB_FUZZ_SECONDS ?? 30)) {
  await cmakeBuild('native/build-fuzz', [...clang, '-DVERBSLAB_FUZZ=ON'], testPrograms);
  const folder = join(root, 'native/build-fuzz/fuzz');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^fuzz_\w+$/.test(name)) : [];
  if (names.length === 0) return failure('fuzz', `no fuzzer in ${folder}`);
  const findings = join(root, 'artifacts', 'fuzz');
  mkdirSync(findings, { recursive: true });
  let total = { passed: 0, failed: 0 };
  const queue = [...names];
  const worker = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) {
      step(`  ${name} for ${fuzzSeconds} s`);
      const corpus = join(root, 'native/build-fuzz/corpus', name);
      mkdirSync(corpus, { recursive: true });
      const seeds = join(root, 'native/tests/fuzz/corpus', name);
      const { code, output } = await exec(
        join(folder, name),
        [
          corpus,
          ...(existsSync(seeds) ? [seeds] : []),
          `-max_total_time=${fuzzSeconds}`,
          '-timeout=10',
          '-rss_limit_mb=2048',
          `-artifact_prefix=${findings}/${name}-`,
          '-print_final_stats=1',
        ],
        { quiet: true, allowFailure: true },
      );
      total = add(total, code === 0 ? { passed: 1, failed: 0 } : failure(name, output));
    }
  };
  await Promise.all([worker(), worker()]);
  return total;
}

async function jsonReporter(name, program, args, read, env) {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const { code } = await exec(program, args(report), { allowFailure: true, env: env?.(report) ?? {} });
  if (!existsSync(report)) return failure(name, `ended with ${code} and left no report`);
  const counts = read(JSON.parse(readFileSync(report, 'utf8')));
  // An error outside of any test fails the stage too.
  return code !== 0 && counts.failed === 0 ? add(counts, failure(name, `ended with ${code}`)) : counts;
}

const vitest = (name, filters, env = {}) =>
  jsonReporter(
    name,
    'npx',
    (report) => [
      'vitest',
      'run',
      ...filters,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    readVitest,
    () => env,
  );

/** TypeScript: packages, agent, endpoints, dashboard models. */
const typescript = () => vitest('typescript', ['--exclude', 'e2e/stock/**', '--exclude', 'e2e/vm/**']);

/** The distribution's RDMA programs, some as an ordinary user: an address belongs to one user, so one file after the other. */
const stock = () => vitest('stock', ['e2e/stock', '--no-file-parallelism']);

/** The device against the kernel's SoftRoCE in virtual machines. Skipped only where QEMU cannot be had. */
async function vm() {
  try {
    if (process.arch !== 'x64')
      throw new Trouble(`virtual machines are made on x86-64 only, not on ${process.arch}`);
    await ensurePackages(['vm']);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    warn(`vm is skipped: ${error.message}`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  // One pair of machines for both: the first brings them up, the second ends them.
  const kept = process.env.VERBSLAB_VM_HOME;
  const home = kept ?? mkdtempSync(join(tmpdir(), 'verbslab-vm-'));
  const shared = { VERBSLAB_VM_HOME: home };
  try {
    const interop = await vitest('vm', ['e2e/vm'], shared);
    const labs = await playwright('vm-labs', 'e2e/playwright.vm.config.ts', {
      ...shared,
      ...(kept ? {} : { VERBSLAB_VM_END: '1' }),
    });
    return add(interop, labs);
  } finally {
    if (!kept) {
      // Whatever happened to them.
      const down = ['apps/agent/bin/verbslab.js', 'vms', 'down'];
      await exec('node', down, { quiet: true, allowFailure: true, env: { VERBSLAB_HOME: home } });
      rmSync(home, { recursive: true, force: true });
    }
  }
}

function playwright(name, config, env = {}) {
  return jsonReporter(
    name,
    'npx',
    () => ['playwright', 'test', '--config', config, '--reporter=list,json'],
    readPlaywright,
    (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env }),
  );
}

/** A newcomer's way through the product, in Chromium, against the real agent. */
const browser = () => playwright('playwright', 'e2e/playwright.config.ts');

export const stages = { lint, native, sanitized, fuzz, typescript, stock, vm, browser };
