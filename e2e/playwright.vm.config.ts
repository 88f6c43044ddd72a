import { defineConfig } from '@playwright/test';
import base from './playwright.config.js';

/** Virtual machines, in the stage `vm`. */
export default defineConfig({ ...base, testDir: 'vm', testMatch: '*.spec.ts' });
