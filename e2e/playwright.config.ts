import { defineConfig } from '@playwright/test';
import { launchOptions } from './lib/chromium.js';

export default defineConfig({
  testDir: 'browser',
  // Two files at a time, each with its agent. A single file leaves a third of two cores idle.
  workers: 2,
  // The limits only end tests that hang: other programs may leave a test a tenth of the CPUs.
  timeout: 900_000,
  // Retries as in vitest.config.ts: tests that pass at the second attempt are named at the end.
  retries: process.env['CI'] ? 1 : 0,
  expect: { timeout: 120_000, toHaveScreenshot: { maxDiffPixelRatio: 0.001 } },
  snapshotPathTemplate: '{testDir}/../looks/{arg}{ext}',
  outputDir: '../artifacts/browser',
  use: {
    // A click that cannot be done says what it waits for, long before the test's own time is up.
    actionTimeout: 180_000,
    viewport: { width: 1440, height: 900 },
    // Recording takes a tenth of the browser's CPU time. CI retries failed tests and records the retry.
    trace: { mode: process.env['CI'] ? 'on-first-retry' : 'retain-on-failure', screenshots: false },
    launchOptions,
  },
});
