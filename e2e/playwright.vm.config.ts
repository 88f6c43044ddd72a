import { defineConfig } from '@playwright/test';
import base from './playwright.config.js';

/** Tests on virtual machines, in the stage `vm`. */
export default defineConfig({
  ...base,
  testDir: 'vm',
  testMatch: '*.spec.ts',
  // Playwright empties it at its start, and the stage `browser` runs meanwhile.
  outputDir: '../artifacts/vm-labs',
});
