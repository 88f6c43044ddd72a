// Actions of menus and buttons that the palette and the keys offer too: hosts, filters, pins and sweeps.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectRun, expectTakesKeys, keepFoldsOpen, signIn, state } from '../lib/page.js';

test.describe.configure({ mode: 'serial' });
test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
});

async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(words);
  await expect(page.locator('[cmdk-item]').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('a host is added from anywhere', async ({ page }) => {
  await page.goto(agent.origin);
  await expectTakesKeys(page);
  await command(page, 'add host');
  await expect(page).toHaveURL(/\/hosts$/);
  await expect(page.getByRole('button', { name: 'Refresh devices' })).toBeEnabled();
  await command(page, 'add host');
  await expect(page.getByLabel('Join string')).toBeFocused();
});

test('panels and tracks of a run are pinned, and its packets filtered', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/bulk?duration=0.5&repeat=1`);
  await page.getByRole('button', { name: /^Run/ }).first().click();
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await command(page, 'pin checks');
  const checks = page.locator('[data-panel=checks]');
  await expect(checks.getByRole('button', { name: 'Unpin: Checks' })).toBeVisible();
  await command(page, 'unpin checks');
  await expect(checks.getByRole('button', { name: 'Pin to the top: Checks' })).toBeVisible();
  await page.locator('[data-panel=packets]').scrollIntoViewIfNeeded();
  const filter = page.getByLabel('Filter packets');
  await expect(filter).toBeVisible();
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();
  await page.keyboard.type('ack');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/filter=ack/);
  await command(page, 'clear filter');
  await expect(page).not.toHaveURL(/filter=/);
});

test('the list of runs is filtered and unticked by keys alone', async ({ page }) => {
  await page.goto(`${agent.origin}/runs`);
  await expect(page.locator('[data-run]').first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search runs')).toBeFocused();
  await page.keyboard.type('nothing of that name');
  await expect(page.getByText('No run matches.')).toBeVisible();
  await command(page, 'clear filter');
  await expect(page.locator('[data-run]').first()).toBeVisible();
  await page.getByLabel('Select run 1', { exact: true }).check();
  await expect(page.getByText('1 run selected')).toBeVisible();
  await command(page, 'clear selection');
  await expect(page.getByText('1 run selected')).toHaveCount(0);
});

test('a sweep is started, cancelled and found by commands', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/bulk?duration=0.5&repeat=1`);
  await expect(page.getByRole('button', { name: 'Start sweep' })).toBeEnabled();
  await command(page, 'start sweep');
  await expect(page).toHaveURL(/\/sweeps\?id=/);
  await command(page, 'pause sweep');
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await command(page, 'resume sweep');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('cancel sweep');
  await expect(page.locator('[cmdk-item]').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the sweep' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(/\/sweeps$/);
});
