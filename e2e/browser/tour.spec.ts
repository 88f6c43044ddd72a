// The guided WRITE: six questions about a recorded WRITE, taken by keyboard alone.
import { expect, type Locator, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectTakesKeys, keepScreenshots, signIn } from '../lib/page.js';

test.beforeEach(({ page }) => signIn(page, agent));

/** Presses Tab until the focus is on the element. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const focused = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 60 && !(await focused()); presses++) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}

const ANSWERS = ['client.program', 'client.device', 'server.device', 'server.program'];

test('the guided WRITE is taken by keyboard alone, and says who did no work', async ({ page }) => {
  await page.goto(agent.origin);
  await expectTakesKeys(page);
  await tabTo(page, page.getByRole('link', { name: 'Start the guided WRITE' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tour$/);
  const picture = page.locator('[data-shows=picture]');
  const verdict = page.locator('[data-verdict]');
  const next = page.locator('[data-next]');
  const size = async () => {
    const { width, height } = (await picture.boundingBox())!;
    return [width, height];
  };
  await expect(page.locator('[data-question]')).toBeVisible();
  const first = await size();
  await expectAccessible(page);
  await keepScreenshots(page, 'tour-asked');
  // The right answers, as recorded; at the fourth stage the reader takes the server’s program for the worker.
  for (const [stage, answer] of [0, 1, 1, 3, 2, 0].entries()) {
    await expect(page.getByRole('listitem').nth(stage)).toBeAttached();
    await expect(page.locator('[data-answer="client.program"]')).toBeFocused();
    await expect(verdict).toHaveCount(0);
    for (let i = 0; i < answer; i++) await page.keyboard.press('Tab');
    await expect(page.locator(`[data-answer="${ANSWERS[answer]}"]`)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(verdict).toHaveAttribute('data-verdict', answer === 3 ? 'wrong' : 'right');
    await expect(next).toBeFocused();
    expect(await size()).toEqual(first);
    if (answer === 3) {
      await expect(verdict).toContainText('the server’s device');
      await expectAccessible(page);
      await keepScreenshots(page, 'tour-answered');
    }
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('heading', { name: /^What you saw/ })).toContainText('5 of 6 answers right');
  await expect(page.getByText('The server’s program did nothing.')).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'tour-end');
  await expect(page.getByRole('link', { name: /^Do it yourself: One WRITE/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/labs\/minimal-flow$/);
});

test('a stage has an address, fits a phone, and the tour is in the palette', async ({ page }) => {
  await page.goto(`${agent.origin}/tour?stage=3`);
  await expectTakesKeys(page);
  const stage = page.locator('[data-stage]');
  const name = await stage.getAttribute('data-stage');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Show me' }).click();
  await page.locator('[data-next]').click();
  await expect(stage).not.toHaveAttribute('data-stage', name!);
  await expect(page).toHaveURL(/\/tour\?stage=4$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('take the tour');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tour$/);
});
