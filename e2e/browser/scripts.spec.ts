// How much JavaScript a first visit loads: a validator or a chart library that slips in is seen here.
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
