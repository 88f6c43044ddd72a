// A sweep from the form of a lab to its curves: progress, pause, reload, resume, and the way from a run back to it.
import { expect, test, type Page } from '@playwright/test';
import { newHome, removeHome, startAgent, type RunningAgent } from '../lib/agent.js';
import { expectAccessible, keepScreenshots, state } from '../lib/page.js';

const home = newHome();
let agent: RunningAgent;

test.beforeAll(async () => {
  agent = await startAgent(home);
});
test.afterAll(async () => {
  await agent.stop();
  removeHome(home);
});

const QUICK = 'duration=0.3&omit=0.1&repeat=1';

/** The part of the form that starts a sweep, opened. */
async function sweepForm(page: Page) {
  await page.goto(`${agent.origin}/labs/bulk?${QUICK}`);
  await page.locator('[data-sweep-form] > summary').click();
  return page.locator('[data-sweep-form]');
}

test('a sweep goes from the form to its curves, with a pause and a reload on the way', async ({ page }) => {
  await page.goto(await agent.link());
  const form = await sweepForm(page);
  const start = form.getByRole('button', { name: 'Start sweep' });
  await form.getByLabel('Swept parameter 1').selectOption('size');
  const values = form.getByLabel('Values of parameter 1');
  await values.fill('4KiB..64KiB');
  await expect(form.getByRole('alert')).toContainText('has no factor or step');
  await expect(start).toBeDisabled();
  await values.fill('4KiB..64KiB*4');
  await form.getByLabel('Repetitions').fill('2');
  await expect(form.locator('[data-sweep-runs]')).toHaveText('3 points × 2 repetitions = 6 runs');
  await keepScreenshots(page, 'sweep-form');
  await expectAccessible(page);
  await start.click();
  await expect(page).toHaveURL(/\/sweeps\?id=[0-9a-z]{10}$/);

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'paused');
  await page.reload();
  await expect(state(page)).toHaveAttribute('data-state', 'paused');
  await page.getByRole('button', { name: 'Resume' }).click();

  // Another run is refused while the sweep goes on, with the way to it.
  const other = await page.context().newPage();
  await other.goto(`${agent.origin}/labs/bulk?${QUICK}`);
  await other.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(other.getByRole('link', { name: 'Open sweep 1' })).toBeVisible();
  await other.close();

  await expect(state(page)).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  await expect(page.locator('[data-sweep-progress]')).toHaveText('6 of 6 runs');
  await expect(page.locator('[data-measured=done]')).toHaveCount(6);
  await expect(page.locator('[data-sweep-curve=goodput] [data-mark=rdma]')).toBeVisible();
  await keepScreenshots(page, 'sweep-done');
  await expectAccessible(page);

  await page.keyboard.press('t');
  await expect(page.getByRole('table', { name: 'Goodput' }).getByRole('row')).toHaveCount(4);
  await expectAccessible(page);

  await page.locator('[data-point="1"]').getByRole('link', { name: 'Round 2' }).click();
  await expect(page).toHaveURL(/\/runs\/view/);
  await expect(page.locator('[data-shows=parameters]')).toContainText('16 KiB');
  await page.getByRole('link', { name: 'Sweep 1, point 2, round 2' }).click();
  await expect(page).toHaveURL(/\/sweeps\?id=/);
  await page.goto(`${agent.origin}/runs`);
  await expect(page.getByRole('link', { name: 'Sweep 1', exact: true })).toHaveCount(6);
  await keepScreenshots(page, 'runs-of-sweep');
});

test('a sweep over two parameters is a heat map, and keeps its points when it is cancelled', async ({
  page,
}) => {
  await page.goto(await agent.link());
  const form = await sweepForm(page);
  await form.getByLabel('Swept parameter 1').selectOption('size');
  await form.getByLabel('Values of parameter 1').fill('4KiB,64KiB');
  await form.getByRole('button', { name: 'Add second parameter' }).click();
  await form.getByLabel('Swept parameter 2').selectOption('depth');
  await form.getByLabel('Values of parameter 2').fill('16,64');
  await form.getByLabel('Repetitions').fill('100');
  await form.getByRole('button', { name: 'Start sweep' }).click();
  await expect(page).toHaveURL(/\/sweeps\?id=/);
  const map = page.getByRole('group', { name: 'Heat map: RDMA Goodput' });
  await expect(map.locator('[data-cell]')).toHaveCount(4, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'cancelled');
  await expect(map.locator('[data-cell]')).toHaveCount(4);
  await keepScreenshots(page, 'sweep-grid');
  await expectAccessible(page);
  await page.goto(`${agent.origin}/sweeps`);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await keepScreenshots(page, 'sweeps');
  await expectAccessible(page);
});
