// The stages of `npm test`. Each runs a real runner, reads the runner's own report, and returns counts.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec, inNetns } from './exec.mjs';
import { fuzz } from './fuzz.mjs';
import { sources } from './graph.mjs';
import { compile, native, sanitized } from './native-stages.mjs';
import { keepSeconds } from './passed.mjs';
import { failure, readPlaywright, readVitest } from './reports.mjs';
import { Trouble, warn } from './say.mjs';
import { add, reports, single } from './stage.mjs';
import { ensurePackages } from './system-packages.mjs';

/** Runs the checks two at a time. */
async function lint() {
  const queues = [
    // A single thread: the other core has the rest.
    [['npx', ['oxlint', '--type-aware', '--deny-warnings', '--threads', '1', '.']]],
    [
      ['node', ['scripts/typecheck.mjs']],
      ['npx', ['oxfmt', '--check', '--threads', '1']],
      ['node', ['scripts/clang-format.mjs', '--check']],
      ['node', ['scripts/layers.mjs', '--check']],
      ['node', ['scripts/messages.mjs', '--check']],
      ['node', ['scripts/import-circles.mjs']],
      ['node', ['scripts/words.mjs']],
    ],
  ];
  const counts = await Promise.all(
    queues.map(async (checks) => {
      let total = { passed: 0, failed: 0 };
      for (const [program, args] of checks) total = add(total, await single(program, args, { nice: true }));
      return total;
    }),
  );
  return counts.reduce(add);
}

async function jsonReporter(name, program, args, read, { env, nice } = {}) {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const { code } = await exec(program, args(report), {
    allowFailure: true,
    env: env?.(report) ?? {},
    nice,
  });
  if (!existsSync(report)) return failure(name, `ended with ${code} and left no report`);
  const counts = read(JSON.parse(readFileSync(report, 'utf8')));
  // An error outside of any test fails the stage too.
  return code !== 0 && counts.failed === 0 ? add(counts, failure(name, `ended with ${code}`)) : counts;
}

/** `within`: a command line that starts the one behind it. */
const vitest = (name, filters, { env = {}, nice = false, within = [] } = {}) => {
  const [program, ...before] = [...within, 'npx', 'vitest'];
  return jsonReporter(
    name,
    program,
    (report) => [
      ...before,
      'run',
      ...filters,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    (report) => {
      keepSeconds(report);
      return readVitest(report);
    },
    { env: () => env, nice },
  );
};

/** Only those of the given paths, if any are given: some projects may then have no test. */
const projects = (name, list, paths = [], options = {}) =>
  vitest(
    name,
    [
      ...paths,
      ...(paths.length > 0 ? ['--passWithNoTests'] : []),
      ...list.flatMap((project) => ['--project', project]),
    ],
    options,
  );

/** TypeScript that starts devices and processes: agent, endpoints, labs, packages/verbs. */
const typescript = (paths) => projects('typescript', ['labs', 'processes', 'verbs'], paths);

/** TypeScript that only computes: packages, the dashboard's models and components, scripts. */
const models = (paths) => projects('models', ['models', 'mocking'], paths, { nice: true });

/** The native tests, and those of the diagnosis against captures that a native test program makes. */
const nativeTests = async () => add(await native(), await projects('engine', ['engine'], [], { nice: true }));

/** Files of e2e/stock whose programs run as an ordinary user. */
const AS_USER = ['stock', 'stacks', 'libraries', 'programs', 'pyverbs'].map(
  (name) => `e2e/stock/${name}.test.ts`,
);
/** 64 processes that have to answer each other within 200 ms. */
const ALONE = 'e2e/stock/rings.test.ts';
const others = () =>
  sources('e2e/stock/*.test.ts').filter((path) => path !== ALONE && !AS_USER.includes(path));

/**
 * The distribution's RDMA programs. An address of the device belongs to one user: where we are root, those of an ordinary user
 * have a network namespace of their own to run beside the others, or follow them where none can be made.
 */
async function stock() {
  const run = (name, paths, within) =>
    vitest(name, ['--project', 'stock', '--no-file-parallelism', ...paths], { within });
  const within = inNetns();
  const first = run('stock-as-user', AS_USER, within);
  if (process.getuid() === 0 && within.length === 0) await first;
  const counts = await Promise.all([first, run('stock', others())]);
  return [...counts, await run('stock-alone', [ALONE])].reduce(add);
}

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
  // A pair of machines for both: the first brings them up, the second ends them.
  const kept = process.env.VERBSLAB_VM_HOME;
  const home = kept ?? mkdtempSync(join(tmpdir(), 'verbslab-vm-'));
  const shared = { VERBSLAB_VM_HOME: home };
  try {
    // Bail after a few failures in a row: each of a hundred tests would wait for its time to be up.
    const interop = await vitest('vm', ['--project', 'vm', '--bail=5'], { env: shared });
    const labs = await playwright('vm-labs', 'e2e/playwright.vm.config.ts', {
      ...shared,
      ...(kept ? {} : { VERBSLAB_VM_END: '1' }),
    });
    return add(interop, labs);
  } finally {
    if (!kept) {
      // Takes the machines down in any case.
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
    { env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env }) },
  );
}

/** A newcomer's way through the product, in Chromium, against the real agent. */
const browser = () => playwright('playwright', 'e2e/playwright.config.ts');

/** Stages in their order, where they do not run beside others (test.mjs). */
export const stages = {
  compile,
  lint,
  models,
  stock,
  typescript,
  native: nativeTests,
  sanitized,
  fuzz,
  vm,
  browser,
};
