// Home: the labs to begin with, the map of all labs, and the next things.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectTakesKeys, keepScreenshots, signIn, state } from '../lib/page.js';

test.describe.configure({ mode: 'serial' });
test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await page.goto(agent.origin);
  await expectTakesKeys(page);
});

const suggestion = (page: Page, id: string) => page.locator(`[data-suggestion=${id}]`);
const onMap = (page: Page, lab: string) => page.locator(`[data-lab=${lab}]`);

test('a newcomer is told where to begin', async ({ page }) => {
  await expect(suggestion(page, 'lab')).toContainText('You have not run a lab yet.');
  await expect(suggestion(page, 'program')).toBeVisible();
  await expect(page.locator('[data-suggestion]')).toHaveCount(2);
  await expectAccessible(page);
  const starters = page.getByRole('region', { name: /^Six to start with/ }).getByRole('link');
  await expect(starters).toHaveCount(6);
  await suggestion(page, 'lab').getByRole('link').click();
  await expect(page).toHaveURL(/\/labs\/[\w-]+$/);
});

test('the picture plays a recorded WRITE, and a packet that is pressed is lost', async ({ page }) => {
  const picture = page.locator('[data-shows=picture]');
  const size = await picture.boundingBox();
  await expect(page.locator('[data-recording=write]')).toBeVisible();
  // The pointer is where packets pass; the picture is stopped when one is there.
  const packet = page.locator('[data-recording=write] [data-packet]').first();
  await expect(packet).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await page.getByRole('application').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await expect(page.locator('[data-recording=lost]')).toBeVisible();
  await expect(page.locator('[data-shows=picture-stage]')).toContainText('lost');
  await expectAccessible(page);
  await keepScreenshots(page, 'home-lost');
  expect(await picture.boundingBox()).toEqual(size);
});

test('the map shows what a lab builds on, and by keys alone it leads there', async ({ page }) => {
  const map = page.getByRole('region', { name: /^All \d+ labs$/ });
  await expect(onMap(page, 'minimal-flow')).toHaveAttribute('data-standing', 'ready');
  await onMap(page, 'loss-cost').focus();
  const pointed = map.locator('[data-pointed=loss-cost]');
  await expect(pointed).toContainText('How much goodput does RDMA lose when packets are lost?');
  await expect(pointed).toBeInViewport();
  await expectAccessible(page);
  await keepScreenshots(page, 'home-map');
  await onMap(page, 'write-read').hover();
  await expect(map.locator('[data-pointed=write-read]')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  // The picture and the map take their new width in the frames that follow.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await onMap(page, 'minimal-flow').press('Enter');
  await expect(page).toHaveURL(/\/labs\/minimal-flow$/);
});

test('a lab that was run is done on the map, and labs that build on it alone are ready', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await page.goto(agent.origin);
  await expect(onMap(page, 'minimal-flow')).toHaveAttribute('data-standing', 'done');
  await expect(page.locator('[data-shows=labs-done]')).toHaveText('1');
  await expect(page.locator('[data-done=minimal-flow]')).toBeVisible();
  await expect(suggestion(page, 'lab')).toContainText('You have run 1 of');
});
