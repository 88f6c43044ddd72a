// A simulated lab on its page: no device to choose, the answer, and the panel of its fabric.
import { expect } from '@playwright/test';
import { Audit } from '../audit/audit.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun } from '../audit/export.js';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, keepFoldsOpen, keepScreenshots, runIdOf, signIn, state } from '../lib/page.js';

test('the go-back-0 livelock: predicted, run, answered, and shown over virtual time', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/go-back-0-livelock`);
  await expect(page.locator('main [data-provider=simulated]').first()).toBeVisible();
  await expect(page.getByText('all endpoints on this host')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Endpoints', exact: true })).toHaveCount(0);
  await page.getByLabel('Full', { exact: true }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');

  await expect(page.getByText(/Go-back-0 restarts a message of 4 MiB/).first()).toBeVisible();
  const panel = page.locator('[data-panel=fabric]');
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.locator('[data-provider=simulated]').first()).toBeVisible();
  await expect(panel.getByText(/All times are virtual: 4,000 µs were simulated/)).toBeVisible();
  await expect(panel.getByRole('combobox', { name: 'Simulation' })).toHaveValue('17');
  await expect(panel.locator('[data-line]').first()).toBeVisible();
  await expect(panel.locator('[data-mechanism=timeout][data-shows=fabric-fired]')).toHaveText('never');
  await panel.getByRole('combobox', { name: 'Simulation' }).selectOption('Go-back-0, 4 MiB');
  await expect(panel.locator('[data-shows=fabric-figure]').first()).toHaveText('0');
  await keepScreenshots(page, 'fabric-lab');

  const audit = new Audit(new Evidence(await exportRun(page, runIdOf(page)), null));
  for (const id of ['fabric', 'checks']) await audit.panel(page, 'the lab of the livelock', id);
  await panel.getByRole('button', { name: /table/i }).click();
  await expect(panel.locator('[data-shows=fabric-series]').first()).toBeVisible();
  await audit.panel(page, 'its tables', 'fabric');
  const parts = ['of', 'samples', 'figure', 'fired', 'says', 'series'].map((name) => `fabric-${name}`);
  expect([...audit.compared]).toEqual(expect.arrayContaining([...parts, 'provider', 'check']));
  await expectAccessible(page);
});
