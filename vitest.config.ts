import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Labs are found in their folders. */
const LABS = 'packages/labs/generate.mjs';
/** Endpoints of the tests run from the bundle, made of the sources as they are now. */
const BUNDLE = 'apps/agent/bundle.mjs';

/** Programs of the agent's tests, bundled too. */
const PROGRAMS = 'apps/agent/test/helpers/bundle-programs.mjs';

/** Tests that replace modules: each has to load its own. */
const MOCKING = ['apps/web/test', 'apps/agent/test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => /\.test\.tsx?$/.test(path) && readFileSync(path, 'utf8').includes('vi.mock('));

/** Labs that run, and the operations that they are made of. */
const LAB_RUNS = ['apps/agent/test/{lab,endpoint}-*.test.ts', 'apps/agent/test/{bad-input,catalog}.test.ts'];

/** Diagnoses what a native test program sends: the stage `native` builds it. */
const ENGINE = 'packages/roce/test/engine/**/*.test.ts';

/** Takes minutes: `npm run nightly` runs it. */
const VARIATIONS = 'apps/agent/test/variations.test.ts';

/** Every TypeScript test that needs no browser. Those of e2e/stock run real RDMA programs on the device, those of e2e/vm start virtual machines. */
export default defineConfig({
  test: {
    // They end what hangs, and nothing else: other programs may leave a test a tenth of the CPUs. So a test says none of its own
    // unless it takes minutes by itself.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Two cores, and many of these tests start processes: more workers only make each other late.
    maxWorkers: 2,
    // CI decides over a whole day's work: one stumble does not fail it, but is named at its end (scripts/lib/reports.mjs).
    retry: process.env['CI'] ? 1 : 0,
    exclude: ['**/dist/**', '**/node_modules/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'models',
          include: [
            'packages/{charts,labs,protocol,report,roce}/test/**/*.test.{ts,tsx}',
            'apps/web/test/**/*.test.{ts,tsx}',
            'scripts/test/**/*.test.ts',
          ],
          exclude: [...MOCKING, ENGINE],
          globalSetup: [LABS],
          // They compute, and leave nothing behind: to load all modules again for each file takes as long as the tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'engine', include: [ENGINE] } },
      { extends: true, test: { name: 'mocking', include: MOCKING, globalSetup: [LABS] } },
      {
        extends: true,
        test: {
          name: 'labs',
          include: LAB_RUNS,
          globalSetup: [LABS, BUNDLE],
          // Their devices and agents end with each test, in processes or by a close.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['apps/agent/test/**/*.test.ts'],
          exclude: [...LAB_RUNS, ...MOCKING, VARIATIONS],
          globalSetup: [LABS, BUNDLE, PROGRAMS],
          setupFiles: ['apps/agent/test/helpers/left-as-found.ts'],
          isolate: false,
        },
      },
      // The device runs in the test's own process, so each file needs one of its own.
      { extends: true, test: { name: 'verbs', include: ['packages/verbs/test/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'variations', include: [VARIATIONS], globalSetup: [LABS, BUNDLE] },
      },
      {
        extends: true,
        test: { name: 'stock', include: ['e2e/stock/**/*.test.ts'], globalSetup: [LABS, BUNDLE] },
      },
      {
        extends: true,
        test: { name: 'vm', include: ['e2e/vm/**/*.test.ts'], globalSetup: [LABS, BUNDLE] },
      },
    ],
  },
});
