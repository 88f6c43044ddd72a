import { defineConfig } from '@playwright/test';
import base from './playwright.config.js';

/** Tests on virtual machines, in the stage `vm`. */
export default defineConfig({
  ...base,
  testDir: 'vm',
  testMatch: '*.spec.ts',
  // Playwright empties it at its start, and what the stage `browser` left stays.
  outputDir: '../artifacts/vm-labs',
});
