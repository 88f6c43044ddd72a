// Parts around every page: unknown addresses, refusals, an agent that is gone.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { newHome, removeHome, startAgent } from '../lib/agent.js';
import { expectAccessible, expectTakesKeys, keepScreenshots, runIdOf, signIn, state } from '../lib/page.js';

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The answer of an unknown address is a 404, which the browser reports.
    if (message.type() === 'error' && !message.text().includes('404')) complaints.push(message.text());
  });
  return complaints;
}

test('unknown addresses say so, and React finds the page that was built', async ({ page }) => {
  await signIn(page, agent);
  const complaints = complaintsOf(page);
  for (const path of [
    '/nowhere',
    '/labs/x',
    '/labs/workbench',
    '/workbench/nope',
    '/tools/none',
    '/explanations/x',
  ]) {
    await page.goto(`${agent.origin}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    // The page's scripts have run: the connection is open.
    await expect(page.getByText('uroce0').first()).toBeVisible();
    expect(complaints, path).toEqual([]);
  }
});

test('r while another run goes is refused where the reader is, with the way to that run', async ({
  page,
}) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs/bulk`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'running');
  const run = `${agent.origin}/runs/view?id=${runIdOf(page)}`;
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await expect(page.getByRole('button', { name: 'Run all steps' })).toBeEnabled();
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.keyboard.press('r');
  const refusal = page.locator('[data-refusal]');
  await expect(refusal).toBeInViewport();
  await expect(refusal.getByRole('link', { name: /^Open run \d+$/ })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(() => scrollTo(0, 0));
  await keepScreenshots(page, 'run-refused');
  await page.setViewportSize({ width: 1440, height: 300 });
  await refusal.getByRole('button', { name: 'Close' }).click();
  await expect(refusal).toHaveCount(0);
  await page.keyboard.press('r');
  await refusal.getByRole('link', { name: /^Open run/ }).click();
  await expect(page).toHaveURL(run);
});

test('a link that is followed while the agent is gone opens once it is back, and nobody signs in again', async ({
  page,
}) => {
  const home = newHome();
  let own = await startAgent(home);
  try {
    await signIn(page, own);
    await page.goto(`${own.origin}/labs`);
    await expect(page.getByText('uroce0').first()).toBeVisible();
    const port = Number(new URL(own.origin).port);
    await own.stop();
    await expect(page.getByText('The agent does not answer.')).toBeVisible();
    await page.getByRole('link', { name: 'Runs' }).first().click();
    const held = page.locator('[data-held]');
    await expect(held).toContainText('“Runs” opens as soon as the agent answers.');
    await expect(page).toHaveURL(/\/labs$/);
    await keepScreenshots(page, 'agent-gone');
    own = await startAgent(home, port);
    await page.getByRole('button', { name: 'Try now' }).click();
    await expect(page).toHaveURL(/\/runs$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Runs');
    await expect(page.getByText('You are not signed in')).toHaveCount(0);
  } finally {
    await own.stop();
    removeHome(home);
  }
});

test('the bar of a phone has five pages, and its menu has the others', async ({ page }) => {
  await signIn(page, agent);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${agent.origin}/runs`);
  await expectTakesKeys(page);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link')).toHaveText(['Home', 'Labs', 'Runs', 'Packets', 'Notebook']);
  await expect(nav.getByRole('link', { name: 'Runs' })).toHaveAttribute('aria-current', 'page');
  await nav.getByRole('button', { name: 'More' }).press('Enter');
  await expectAccessible(page);
  await keepScreenshots(page, 'more');
  await page.setViewportSize({ width: 390, height: 844 });
  await nav.getByRole('link', { name: 'Tools' }).press('Enter');
  await expect(page).toHaveURL(/\/tools$/);
  await expect(nav.getByRole('link', { name: 'Tools' })).toBeHidden();
  await nav.getByRole('button', { name: 'More (the current page is here)' }).click();
  await expect(nav.getByRole('link', { name: 'Tools' })).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Escape');
  await expect(nav.getByRole('link', { name: 'Tools' })).toBeHidden();
});

test('letters are turned off and on again by keys alone', async ({ page }) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs`);
  await expectTakesKeys(page);
  const sheet = page.getByRole('dialog');
  const letters = sheet.getByRole('checkbox', { name: 'Letters and signs act without Ctrl' });
  await page.keyboard.press('?');
  await expect(letters).toBeChecked();
  await letters.focus();
  await page.keyboard.press('Space');
  await expect(letters).not.toBeChecked();
  await expectAccessible(page);
  await keepScreenshots(page, 'keys-off');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  // The browser keeps the setting.
  await page.reload();
  await expectTakesKeys(page);
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  // The effect of either key would show only after the following.
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Type a command').fill('keyboard shortcuts');
  await page.keyboard.press('Enter');
  await expect(letters).not.toBeChecked();
  await expect(page).toHaveURL(/\/labs$/);
  await letters.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page).toHaveURL(/\/runs$/);
});
