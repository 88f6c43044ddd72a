// The paths of the same bytes in the lab of bulk transfers: before its run, while it measures, and after it.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectTakesKeys, keepScreenshots, signIn, state } from '../lib/page.js';

const paths = (page: Page) => page.locator('[data-lab-picture] svg.paths');
const picture = (page: Page) => page.getByRole('listbox', { name: 'Paths of the bytes' });
const bars = (page: Page) => page.locator('[data-run-side] tr[data-transport]');
/** Offset of the dots of a path. */
const dotsOf = (page: Page, transport: string): Promise<number> =>
  paths(page)
    .locator(`[data-transport=${transport}] .dots`)
    .evaluate((one) => Number(one.getAttribute('stroke-dashoffset') ?? 0));

test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs/bulk`);
  await expect(paths(page)).toBeVisible();
});

async function quickRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Quick run', exact: true }).click();
  await expectTakesKeys(page);
  await page.keyboard.press('r');
}

test('the paths ask before the run, and have its figures after it', async ({ page }) => {
  await expect(paths(page).locator('[data-kernel-share]')).toHaveCount(0);
  await expect(paths(page).getByText('?', { exact: true })).toHaveCount(3);
  const before = (await paths(page).boundingBox())!;
  await page.getByRole('button', { name: 'Show a recorded sample' }).click();
  await expect(paths(page).locator('[data-kernel-share]')).toHaveCount(3);
  await page.getByRole('button', { name: 'Hide its figures' }).click();
  await expectAccessible(page);
  await keepScreenshots(page, 'paths-before');

  await quickRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const lines = paths(page).locator('[data-path]');
  await expect(lines).toHaveCount(3);
  expect(await lines.evaluateAll((all) => all.map((one) => one.getAttribute('data-path')))).toEqual([
    'rings',
    'sockets',
    'tcp',
  ]);
  for (const transport of ['shm', 'rdma', 'tcp']) {
    const drawn = await paths(page).locator(`[data-transport=${transport}] tspan.mono`).textContent();
    await expect(bars(page).locator(`xpath=self::*[@data-transport='${transport}']`).first()).toContainText(
      drawn!,
    );
  }
  const after = (await paths(page).boundingBox())!;
  expect(Math.abs(after.y - before.y)).toBeLessThanOrEqual(32);
  await expectAccessible(page);
  await keepScreenshots(page, 'paths-after');
});

test('a path and its rows are lit together, by pointer and by keys', async ({ page }) => {
  await quickRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const chosen = paths(page).locator('[data-pointed=true]');
  await bars(page).locator('xpath=self::*[@data-transport="tcp"]').first().hover();
  await expect(chosen).toHaveAttribute('data-transport', 'tcp');
  await page.locator('h1').hover();
  await expect(chosen).toHaveCount(0);
  await picture(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toHaveAttribute('data-transport', 'shm');
  await expect(picture(page).getByRole('option', { selected: true })).toContainText('RDMA/shm');
  await expect(page.locator('p[data-shows=path-words]')).toContainText('RDMA/shm');
  await expect(page.locator('[data-bar=tcp]').first()).toHaveCSS('opacity', '0.4');
  await expect(page.locator('[data-bar=shm]').first()).toHaveCSS('opacity', '1');
  await page.keyboard.press('ArrowUp');
  await expect(chosen).toHaveAttribute('data-transport', 'tcp');
  await page.keyboard.press('Escape');
  await expect(chosen).toHaveCount(0);
  await page.keyboard.press('t');
  const rows = page.locator('[data-shows=paths-table] tbody tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.last()).toContainText('TCP in the kernel');
  await expectAccessible(page);
});

test('dots move as fast as the bytes did, stop on request, and not at all for readers who want no motion', async ({
  page,
}) => {
  await quickRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await paths(page).scrollIntoViewIfNeeded();
  const start = await dotsOf(page, 'shm');
  await expect.poll(() => dotsOf(page, 'shm')).not.toBe(start);
  await picture(page).focus();
  await page.keyboard.press(' ');
  const held = await dotsOf(page, 'shm');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await dotsOf(page, 'shm')).toBe(held);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(page.getByRole('button', { name: /^(Play|Pause)$/ })).toHaveCount(0);
});

test('a run that measures is drawn as it goes, with four frames per second on few cores', async ({
  page,
}) => {
  await expectTakesKeys(page);
  await page.keyboard.press('r');
  const title = page.locator('[data-lab-picture] [data-shows=picture-title]');
  await expect(title).toContainText('so far');
  await expect(paths(page).locator('[data-goodput]:not([data-goodput=""])').first()).toBeAttached();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(title).not.toContainText('so far');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    )
    .toBeLessThanOrEqual(0);
  await keepScreenshots(page, 'paths-phone');
});
