import { defineConfig } from 'vitest/config';

/** Every TypeScript test that needs no browser. Those of e2e/stock run real RDMA programs on the device, those of e2e/vm start virtual machines. */
export default defineConfig({
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.{ts,tsx}',
      'e2e/stock/**/*.test.ts',
      'e2e/vm/**/*.test.ts',
      'scripts/test/**/*.test.ts',
    ],
    exclude: ['**/dist/**', '**/node_modules/**'],
    // Labs are found in their folders; endpoints of the tests run from the bundle, made of the sources as they are now.
    globalSetup: ['packages/labs/generate.mjs', 'apps/agent/bundle.mjs'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores, and many of these tests start processes: more workers only make each other late.
    maxWorkers: 2,
    // CI decides over a whole day's work: one stumble does not fail it, but is named at its end (scripts/lib/reports.mjs).
    retry: process.env['CI'] ? 1 : 0,
  },
});
