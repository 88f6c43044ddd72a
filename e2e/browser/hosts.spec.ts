// Two agents: pair them by a join string, check that they reach each other, run bulk across, kill one during the run.
import { expect, type Page } from '@playwright/test';
import { test } from '../lib/page-test.js';
import { expectAccessible, expectRun, keepFoldsOpen, keepScreenshots, signIn, state } from '../lib/page.js';
import { outsideAddress, twoAgents } from '../lib/two-agents.js';

test.describe.configure({ mode: 'serial' });
const two = twoAgents(outsideAddress(), ['127.0.0.78', '127.0.0.79']);

const host = (page: Page) => page.locator('[data-host=lab2]');

async function openHosts(page: Page): Promise<void> {
  await signIn(page, two.agent);
  await keepFoldsOpen(page);
  await page.goto(two.agent.origin);
  await expect(page.getByText('uroce0').first()).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/\/hosts$/);
  await expect(page.getByText('local/uroce0')).toBeVisible();
}

test('an invalid join string gets an error, and no host is added', async ({ page }) => {
  await openHosts(page);
  await expect(page.getByText('No other agent is paired yet.')).toBeVisible();
  await page.getByLabel('Join string').fill(two.other.join.slice(0, -3));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.locator('main').getByRole('alert')).toContainText('checksum');
  await expectAccessible(page);
  await keepScreenshots(page, 'hosts-wrong');
});

test('a host is added by its join string and shows devices, GIDs and clock', async ({ page }) => {
  await openHosts(page);
  await page.getByLabel('Join string').fill(two.other.join);
  await page.getByLabel('Name').fill('lab2');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(host(page)).toHaveAttribute('data-state', 'up');
  await expect(host(page)).toContainText('lab2/uroce0');
  await expect(host(page)).toContainText('::ffff:127.0.0.79');
  await expect(host(page)).toContainText(/Clock offset.*±/);
  await expect(page.getByLabel('Join string')).toHaveValue('');
  await host(page).getByRole('button', { name: 'Check the path' }).click();
  await expect(page.locator('[data-path=ok]')).toContainText('can reach each other over RDMA');
  // Most steps take less than a tenth of a second.
  await expect(page.locator('[data-path=ok] li').last()).toContainText(/[1-9]\d*\s(ms|s)$/);
  await expect(page.locator('[data-path=ok]')).not.toContainText(/\b0(\.0)?\s(s|ms|ns)\b/);
  await expectAccessible(page);
  await keepScreenshots(page, 'hosts');
});

test('bulk runs across the two and shows figures of both', async ({ page }) => {
  await openHosts(page);
  await page.goto(`${two.agent.origin}/labs/bulk`);
  await page.getByLabel('Server', { exact: true }).selectOption('lab2/uroce0');
  await page.getByLabel('Client', { exact: true }).selectOption('local/uroce0');
  await page.getByLabel(/^Duration/).fill('0.5');
  await page.getByLabel(/^Rounds/).fill('1');
  await expectAccessible(page);
  await keepScreenshots(page, 'lab-bulk-places');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.locator('main header').first()).toContainText('server on lab2/uroce0');
  await expect(page.locator('[data-answer]')).toContainText(/TCP .* RDMA |RDMA .* TCP /s);
  await expect(page.locator('[data-panel=findings]')).toContainText('CPU time per GB');
  await expect(page.locator('[data-panel=findings]')).toContainText('The client polls');
  await expectAccessible(page);
  await keepScreenshots(page, 'run-bulk-across');
  const first = page.url();
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page).not.toHaveURL(first);
  await expect(page.locator('main header').first()).toContainText('server on lab2/uroce0');
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.getByLabel('Server', { exact: true })).toHaveValue('lab2/uroce0');
});

test('a host that dies in the middle fails the run with its name, shows as down, and the history stays', async ({
  page,
}) => {
  await openHosts(page);
  await page.goto(`${two.agent.origin}/labs/bulk`);
  await page.getByLabel('Server', { exact: true }).selectOption('lab2/uroce0');
  await page.getByLabel(/^Duration/).fill('60');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'running');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /[1-9]/);
  await two.other.kill();
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  await expect(page.locator('main header').first().getByRole('alert')).toContainText(
    'The connection to the agent “lab2” was lost',
  );
  await expectAccessible(page);
  await keepScreenshots(page, 'run-bulk-peer-killed');
  await openHosts(page);
  await expect(host(page)).toHaveAttribute('data-state', 'down');
  await expect(host(page).getByRole('alert')).toContainText('does not answer');
  await expectAccessible(page);
  await keepScreenshots(page, 'hosts-down');
  await page.goto(`${two.agent.origin}/runs`);
  for (const expected of ['failed', 'done'])
    await expect(page.locator(`main [data-state="${expected}"]`).first()).toBeVisible();
});
