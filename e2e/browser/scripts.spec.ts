// Size of the JavaScript of a first visit. An added validator or chart library shows here.
import { expect } from '@playwright/test';
import { test } from '../lib/page-test.js';
import { SCRIPT_BUDGET, weighPages } from '../lib/scripts.js';

test('home and the page of a run load no more JavaScript than they may', async ({ browser }) => {
  const { home, run } = await weighPages(browser);
  expect(home).toBeGreaterThan(0);
  expect(home).toBeLessThan(SCRIPT_BUDGET.home);
  expect(run).toBeGreaterThan(home);
  expect(run).toBeLessThan(SCRIPT_BUDGET.run);
});
