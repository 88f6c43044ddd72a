// Explorables of loss, delay and queues: the recorded sample moved by mouse and by keys, then the reader's own run.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, keepScreenshots, signIn } from '../lib/page.js';

const PHONE = { width: 390, height: 844 };

async function open(page: Page, id: string): Promise<void> {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/explanations/${id}`);
  await expect(page.getByText('Recorded sample')).toBeVisible();
}

/** A phone shows all of it without scrolling sideways. */
async function expectFitsPhone(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    )
    .toBe(true);
  await keepScreenshots(page, `${name}-phone`);
  await page.setViewportSize({ width, height });
}

test('go-back-N: a packet is lost by mouse and by keys, and the own run replaces the sample', async ({
  page,
}) => {
  await open(page, 'amplification');
  const answer = page.locator('[data-ladder-answer]');
  const fact = (name: string) => page.locator('[data-ladder-facts] div', { hasText: name }).locator('dd');
  const handle = (name: string) => page.locator(`[data-handle="${name}"]`);

  // By mouse: the lost packet and the eight behind it are sent again.
  await handle('7').click();
  await expect(page).toHaveURL(/lost=7$/);
  await expect(answer).toContainText('9 packets again');
  await expect(fact('Sent again')).toHaveText('9');
  await expect(fact('Selective repeat')).toHaveText('1');
  await expect(page.locator('[data-cut]')).toHaveCount(0);
  await handle('7.2').click();
  await expect(answer).toContainText('ACK timeout');
  await expect(page.locator('[data-cut]')).toHaveCount(1);
  await expectAccessible(page);
  await keepScreenshots(page, 'explorable-go-back-n');
  await expectFitsPhone(page, 'explorable-go-back-n');

  // By keys: x gives it back, and loses another one.
  const ladder = page.getByRole('listbox');
  await ladder.focus();
  await page.keyboard.press('x');
  await expect(page).toHaveURL(/lost=7$/);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await expect(page).toHaveURL(/lost=1$/);
  await expect(ladder.getByRole('option', { name: 'Packet 1: lost', selected: true })).toHaveCount(1);
  await expect(fact('Sent again')).toHaveText('15');
  await page.keyboard.press('x');
  await expect(answer).toContainText('Nothing is lost');

  await page.getByRole('button', { name: 'Show the table behind: Ladder' }).click();
  await expect(page.getByRole('region', { name: 'Packets and answers' }).getByRole('row')).toHaveCount(18);

  await page.getByRole('button', { name: 'Run it now' }).click();
  await expect(page.getByRole('combobox', { name: 'Figures of' })).toContainText(/^Your run \d/);
  await expect(page.getByLabel('Lost packet', { exact: true })).toBeVisible();
  await expect(page.locator('[data-fate=lost]').first()).toBeVisible();
  await expect(answer).toContainText('again');
  await expectAccessible(page);
  await keepScreenshots(page, 'explorable-go-back-n-own');
});

test('window and delay: the window is dragged in the figure, and moved by keys', async ({ page }) => {
  await open(page, 'window');
  const window = page.getByRole('slider', { name: 'Messages in flight' });
  const pipe = page.locator('[data-pipe]');
  await expect(window).toHaveAttribute('aria-valuenow', '8');
  await window.press('ArrowRight');
  await expect(window).toHaveAttribute('aria-valuenow', '9');
  await expect(page).toHaveURL(/window=9/);
  await expect(pipe).toHaveAttribute('data-waiting', '0');
  await window.press('Home');
  await expect(window).toHaveAttribute('aria-valuenow', '1');
  const box = (await window.boundingBox())!;
  await page.mouse.move(box.x + 30, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('group', { name: 'Added delay' }).getByRole('button', { name: 'None' }).click();
  await window.press('End');
  await expect(page.getByRole('status').filter({ hasText: 'the link is the limit' })).toBeVisible();
  await expect(pipe).not.toHaveAttribute('data-waiting', '0');
  await expectAccessible(page);
  await keepScreenshots(page, 'explorable-window');
  await expectFitsPhone(page, 'explorable-window');
  await page.getByRole('button', { name: 'Show the table behind: Goodput by window' }).click();
  await expect(page.getByRole('region', { name: 'Goodput by window' })).toBeVisible();
});

test('incast: the small request moves through the queue, and fewer clients shorten it', async ({ page }) => {
  await open(page, 'incast');
  const request = page.getByRole('slider', { name: 'Messages ahead of the small request' });
  await expect(request).toHaveAttribute('aria-valuenow', '64');
  // The head of the queue is at the right.
  await request.press('ArrowRight');
  await expect(request).toHaveAttribute('aria-valuenow', '63');
  await request.press('Home');
  await expect(request).toHaveAttribute('aria-valuenow', '0');
  await page.locator('[data-client="1"]').click();
  await expect(request).toHaveAttribute('aria-valuemax', '16');
  await expect(page.locator('[data-posted]')).toHaveAttribute('data-posted', '16');
  await page.getByRole('group', { name: 'Clients at once' }).getByRole('button', { name: '4' }).click();
  await expect(request).toHaveAttribute('aria-valuenow', '64');
  await expectAccessible(page);
  await keepScreenshots(page, 'explorable-incast');
  await expectFitsPhone(page, 'explorable-incast');
});
