// The command palette loads when it is first opened. Text that is typed before must not be lost.
import { expect, type Page, type Response } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectTakesKeys, signIn } from '../lib/page.js';

/** Opens home and holds back its scripts until the returned function is called. */
async function homeWithoutPalette(page: Page): Promise<() => void> {
  const code: Promise<string>[] = [];
  const read = (r: Response): void => {
    if (r.url().endsWith('.js')) code.push(r.text());
  };
  page.on('response', read);
  await page.goto(agent.origin);
  await expect(page.getByText('uroce0').first()).toBeVisible();
  page.off('response', read);
  expect((await Promise.all(code)).filter((text) => text.includes('cmdk-input'))).toEqual([]);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const field = (page: Page) => page.getByPlaceholder('Type a command');
const chosen = (page: Page) => page.locator('[cmdk-item][aria-selected=true]');

test.beforeEach(({ page }) => signIn(page, agent));

test('letters and Enter that come before the palette count', async ({ page }) => {
  const release = await homeWithoutPalette(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('notebook');
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('notebook');
  await expect(page.locator('[cmdk-item]')).toHaveCount(0);
  release();
  await expect(page).toHaveURL(/\/notebook$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('so do arrows, and the field keeps the focus', async ({ page }) => {
  const release = await homeWithoutPalette(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Go to');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('[cmdk-item]')).toHaveCount(0);
  release();
  const items = page.locator('[cmdk-item]');
  await expect(items.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(chosen(page)).toHaveCount(1);
  await expect(field(page)).toBeFocused();
  // The palette gets the keys from here on.
  await page.keyboard.press('ArrowDown');
  await expect(items.nth(2)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type(' labs');
  await expect(field(page)).toHaveValue('Go to labs');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/labs$/);
});

test('what was typed for a palette that was closed again is forgotten', async ({ page }) => {
  const release = await homeWithoutPalette(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('notebook');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(field(page)).toHaveValue('');
  release();
  await expect(page.locator('[cmdk-item]').first()).toBeVisible();
  await expect(field(page)).toHaveValue('');
  expect(new URL(page.url()).pathname).toBe('/');
});

test('what is pasted is chosen from as what is typed', async ({ page }) => {
  await page.goto(agent.origin);
  await expectTakesKeys(page);
  await page.keyboard.press('Control+k');
  await expect(page.locator('[cmdk-item]').first()).toBeVisible();
  // The second key opens the palette again, however soon after the key that closes it.
  await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Control+k')]);
  await field(page).fill('notebook');
  await expect(chosen(page)).toHaveText(/notebook/i);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/notebook$/);
});
