import { defineConfig } from '@playwright/test';
import base from './playwright.config.js';

/** Virtual machines, in the stage `vm`. Emulated processors take their time. */
export default defineConfig({ ...base, testDir: 'vm', testMatch: '*.spec.ts', expect: { timeout: 60_000 } });
