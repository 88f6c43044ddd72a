// Hosts: the links between the hosts, with the rates of a run in progress.
import { expect, type Page } from '@playwright/test';
import { Claim } from '../audit/claim.js';
import { contentOf, type Shown } from '../audit/collect.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun } from '../audit/export.js';
import { middle } from '../audit/figures.js';
import { bitsOf, TRAFFIC } from '../audit/roads/traffic.js';
import { test } from '../lib/page-test.js';
import {
  expectAccessible,
  expectRun,
  keepFoldsOpen,
  keepScreenshots,
  runIdOf,
  signIn,
  state,
} from '../lib/page.js';
import { twoAgents } from '../lib/two-agents.js';

test.describe.configure({ mode: 'serial' });
const two = twoAgents('127.0.0.1', ['127.0.0.80', '127.0.0.81']);
test.beforeEach(async ({ page }) => {
  await signIn(page, two.agent);
  await page.goto(`${two.agent.origin}/hosts`);
  await expect(page.locator('[data-linked] [data-device=uroce0]').first()).toBeVisible();
});

const link = (page: Page, path: string) => page.locator(`[data-path="${path}"]`);

/** Starts a lab on a second page beside the hosts. Returns that page and the ID of the run. */
async function startBeside(page: Page, lab: string, server?: string): Promise<{ beside: Page; id: string }> {
  const beside = await page.context().newPage();
  await keepFoldsOpen(beside);
  await beside.goto(`${two.agent.origin}/labs/${lab}`);
  if (server) await beside.getByLabel('Server', { exact: true }).selectOption(server);
  await beside.getByRole('button', { name: /^Run/ }).first().click();
  await expectRun(beside);
  const id = runIdOf(beside);
  await page.bringToFront();
  return { beside, id };
}

const ended = (beside: Page) => expect(state(beside)).toHaveAttribute('data-state', 'done');

test('one host has its loopback', async ({ page }) => {
  await expect(link(page, 'local local')).toContainText('shared memory, UDP sockets');
  await expect(link(page, 'local local')).toContainText('idle');
  await expectAccessible(page);
});

test('the rates move with a run, and agree with what its loops moved', async ({ page }) => {
  test.slow();
  const { beside, id } = await startBeside(page, 'bulk?duration=2&repeat=1');
  const seen = new Map<string, Shown>();
  await expect(link(page, 'local local').getByRole('link', { name: 'Run 1' })).toBeVisible();
  await expect
    .poll(
      async () => {
        for (const one of (await contentOf(page)).shown)
          if (one.name in TRAFFIC) seen.set(`${one.name} ${one.text}`, one);
        return link(page, 'local local').innerText();
      },
      { intervals: [100] },
    )
    .toContain('idle');
  await ended(beside);
  const evidence = new Evidence(await exportRun(page, id), null);
  const claims = [...seen.values()].map((shown) => new Claim('hosts', shown));
  for (const claim of claims) TRAFFIC[claim.shown.name]!(claim, evidence);
  expect(new Set(claims.map(({ shown }) => shown.name))).toEqual(new Set(Object.keys(TRAFFIC)));
  // A second of either link at its usual speed was seen.
  const usual = Math.min(
    ...(['rdma', 'shm'] as const).map((transport) =>
      middle(evidence.rounds(transport).map(({ goodputGbps }) => goodputGbps)),
    ),
  );
  const out = claims.filter(({ shown }) => shown.name === 'link-out');
  expect(Math.max(...out.map(bitsOf))).toBeGreaterThan(0.5 * usual * 1e9);
  const media = out.map(({ shown }) => shown.data.media);
  expect(media).toContain('udp');
  expect(media).toContain('shm');
  await beside.close();
});

test('the table says the same, and the link leads to its run', async ({ page }) => {
  const { beside, id } = await startBeside(page, 'bulk?duration=1.5&repeat=1');
  await page.getByRole('button', { name: 'Show the table behind: Hosts and links' }).click();
  const row = page.locator('tr[data-path="local local"]');
  await expect(row).toHaveAttribute('data-run', id);
  await expect(row.locator('[data-shows=link-out]')).toContainText(/[MG]b\/s/);
  await row.getByRole('link', { name: '2' }).click();
  await expect(page).toHaveURL(new RegExp(id));
  await ended(beside);
  await beside.close();
});

test('a paired host has a link, and a run across moves it', async ({ page }) => {
  await page.getByLabel('Join string').fill(two.other.join);
  await page.getByLabel('Name').fill('lab2');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.locator('[data-host=lab2]')).toHaveAttribute('data-state', 'up');
  await expect(link(page, 'local lab2')).toContainText('idle');
  await expect(page.locator('[data-linked=lab2] [data-device=uroce0]')).toBeVisible();
  const { beside, id } = await startBeside(page, 'bulk?duration=1.5&repeat=1', 'lab2/uroce0');
  await expect(link(page, 'local lab2')).toHaveAttribute('data-run', id);
  await expect(link(page, 'local lab2').locator('[data-shows=link-out]')).toContainText('Gb/s');
  await expect(page.locator('[data-linked=lab2] [data-shows=device-in]')).toContainText('Gb/s');
  await expect(link(page, 'local local')).toContainText('idle');
  await keepScreenshots(page, 'hosts-run');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await ended(beside);
  await expect(link(page, 'local lab2')).toContainText('idle');
  await expectAccessible(page);
  await beside.close();
});
