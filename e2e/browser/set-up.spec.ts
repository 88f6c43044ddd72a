// Setup page: two agents on this machine stand for two machines. Each step changes when it has taken effect, or says
// why not.
import { expect, type Page } from '@playwright/test';
import { lockFile } from '../../apps/agent/src/config/lock.js';
import { vmsFolder } from '../../apps/agent/src/vms/paths.js';
import { test } from '../lib/page-test.js';
import { expectAccessible, keepFoldsOpen, keepScreenshots, state } from '../lib/page.js';
import { outsideAddress, twoAgents } from '../lib/two-agents.js';

const two = twoAgents(outsideAddress(), ['127.0.0.63', '127.0.0.64']);

const step = (page: Page, id: string) => page.locator(`[data-step=${id}]`);

test('steps turn as they take effect, and say why they do not', async ({ page }) => {
  test.slow();
  await page.goto(await two.agent.link());
  await expect(page.getByText('uroce0').first()).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect(page).toHaveURL(/\/set-up$/);
  await expect(step(page, 'agent')).toHaveAttribute('data-state', 'done');
  // The device is on loopback, which another machine cannot reach.
  await expect(step(page, 'device')).toHaveAttribute('data-state', 'waiting');
  await expect(step(page, 'device')).toContainText('loopback');
  await expect(step(page, 'device')).toContainText(/UROCE_NETDEV=\S+ npx verbslab up/);
  await expect(step(page, 'other')).toHaveAttribute('data-state', 'waiting');
  await expect(step(page, 'path').getByRole('button', { name: 'Check the path' })).toBeDisabled();
  await expect(step(page, 'vm-packages')).toHaveAttribute('data-state', /done|failed/);
  await expect(step(page, 'vm-up')).toHaveAttribute('data-state', 'waiting');
  await expect(step(page, 'vm-up')).toContainText(/MiB free/);
  const start = step(page, 'vm-up').getByRole('button', { name: 'Start two machines' });
  if ((await step(page, 'vm-packages').getAttribute('data-state')) === 'failed')
    await expect(start).toBeDisabled();
  else {
    // The lock is that of a running `verbslab vms` command.
    const lock = lockFile(vmsFolder(two.agent.home).lock)!;
    await start.focus();
    await page.keyboard.press('Enter');
    await expect(step(page, 'vm-up').getByRole('alert')).toContainText('is changing the virtual machines');
    await page.reload();
    await expect(step(page, 'vm-up').getByRole('alert')).toContainText('Wait until it ends.');
    lock.release();
  }

  await page.getByLabel('What did it print?').fill('wc status: RNR retry counter exceeded (13)');
  await expect(page.getByText('1 of ')).toBeVisible();
  await page.getByText('RNR retry counter exceeded').last().click();
  await expect(page.getByText('Post receives before the peer sends')).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'set-up');

  await page.getByLabel('Join string').fill(two.other.join);
  await page.getByLabel('Name').fill('lab2');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(step(page, 'other')).toHaveAttribute('data-state', 'done');
  await expect(step(page, 'other-device')).toContainText('lab2');
  await step(page, 'path').getByRole('button', { name: 'Check the path' }).click();
  await expect(step(page, 'path')).toHaveAttribute('data-state', 'done');

  await keepFoldsOpen(page);
  await page.goto(`${two.agent.origin}/labs/write-read`);
  await page.getByLabel('Server', { exact: true }).selectOption('lab2/uroce0');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await page.goto(`${two.agent.origin}/set-up`);
  await expect(step(page, 'run')).toHaveAttribute('data-state', 'done');
  await keepScreenshots(page, 'set-up-done');

  await two.other.kill();
  await expect(step(page, 'other')).toHaveAttribute('data-state', 'failed');
  await expect(step(page, 'other').getByRole('alert')).toContainText('does not answer');
});
