// A run leaves its host as a file and is shown on another as it was: exported and imported by the pages of two agents.
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { contentOf } from '../audit/collect.js';
import { newHome, removeHome, startAgent, type RunningAgent } from '../lib/agent.js';
import { test } from '../lib/page-test.js';
import {
  expectAccessible,
  expectRun,
  expectTakesKeys,
  exportFrom,
  keepFoldsOpen,
  keepScreenshots,
  signIn,
  state,
} from '../lib/page.js';

let homes: string[];
let there: RunningAgent;
let here: RunningAgent;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  homes = [newHome(), newHome()];
  [there, here] = await Promise.all([startAgent(homes[0]!), startAgent(homes[1]!)]);
});
test.afterAll(async () => {
  await Promise.all([there.stop(), here.stop()]);
  homes.forEach(removeHome);
});

const RUNS = { bulk: '/labs/bulk?duration=1&repeat=1', 'minimal-flow': '/labs/minimal-flow' };
const files = new Map<string, string>();
const addresses = new Map<string, string>();

interface Shown {
  statements: string[];
  text: string[];
}

/** Text of a run's page, with charts as charts and as tables, without text of the agent that shows it. */
async function shownBy(page: Page): Promise<Shown> {
  await expect(page.getByText('Reading the record…')).toHaveCount(0);
  // The timeline's code loads when the timeline scrolls into view.
  const timeline = page.locator('#timeline');
  await timeline.scrollIntoViewIfNeeded();
  await expect(timeline.getByRole('button', { name: 'Zoom in' })).toBeVisible();
  // The list of packets shows what fits the window.
  await page.setViewportSize({ width: 1440, height: 900 });
  for (;;) {
    const table = page.getByRole('button', { name: /^Show the table behind/ }).first();
    if ((await table.count()) === 0) break;
    await table.click();
  }
  await page.evaluate(() => scrollTo(0, 0));
  const read = async (): Promise<Shown> => {
    const content = await contentOf(page);
    return {
      statements: content.shown
        .filter(({ name }) => name !== 'imported')
        .map(({ name, panel, text, rows }) => JSON.stringify([panel, name, text, rows])),
      text: await page
        .locator('[data-panel]')
        .evaluateAll((all) => all.map((one) => one.textContent.replaceAll(/\brun \d+\b/gi, 'run N'))),
    };
  };
  // The view draws ten times per second. Two equal readings mean that it is still.
  let last = '';
  let now = await read();
  await expect
    .poll(
      async () => {
        last = JSON.stringify(now);
        now = await read();
        return JSON.stringify(now) === last;
      },
      { intervals: [300] },
    )
    .toBe(true);
  return now;
}

const choose = async (page: Page, path: string): Promise<void> => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import a run' }).click(),
  ]);
  await chooser.setFiles(path);
};

async function open(page: Page, agent: RunningAgent, path: string): Promise<void> {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}${path}`);
  await expectTakesKeys(page);
}

for (const [lab, address] of Object.entries(RUNS))
  test(`a run of ${lab} is exported by its page`, async ({ page }) => {
    await open(page, there, address);
    await page.getByRole('button', { name: /^Run( all steps)?$/ }).click();
    await expectRun(page);
    await expect(state(page)).toHaveAttribute('data-state', 'done');
    await page.reload();
    await expect(state(page)).toHaveAttribute('data-state', 'done');
    files.set(lab, await exportFrom(page, /^Run bundle/, `${lab}.vlrun`));
    addresses.set(lab, page.url());
  });

test('an import shows how far it is, and can be cancelled', async ({ page }) => {
  await open(page, here, '/runs');
  const slow = await page.context().newCDPSession(page);
  const limits = { offline: false, latency: 0, downloadThroughput: -1 };
  await slow.send('Network.emulateNetworkConditions', { ...limits, uploadThroughput: 20_000 });
  // Incompressible bytes follow the bundle: the agent reads on, and the import takes seconds.
  const long = join(homes[1]!, 'long.vlrun');
  writeFileSync(long, Buffer.concat([readFileSync(files.get('bulk')!), Buffer.alloc(4_000_000, 7)]));
  await choose(page, long);
  const progress = page.getByRole('progressbar', { name: 'Progress of the import' });
  await expect(progress).toBeVisible();
  await expect(page.getByText('Importing long.vlrun')).toBeVisible();
  await keepScreenshots(page, 'importing');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(progress).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('Nothing has been run yet.')).toBeVisible();
});

for (const lab of Object.keys(RUNS))
  test(`the run of ${lab} shows on the other host what it shows at home`, async ({ page, browser }) => {
    const home = await (await browser.newContext()).newPage();
    await signIn(home, there);
    await keepFoldsOpen(home);
    await home.goto(addresses.get(lab)!);
    await expect(state(home)).toHaveAttribute('data-state', 'done');
    await open(page, here, '/runs');
    await choose(page, files.get(lab)!);
    await expectRun(page);
    await expect(page.locator('[data-shows=imported]')).toContainText(`from ${hostname()}, where it is run `);
    await expect(page.getByRole('button', { name: 'Run on this host' })).toBeVisible();
    // A part that is loaded late may come after a page has been still for a while, on either host.
    await expect(async () => {
      const original = await shownBy(home);
      expect(original.statements.length).toBeGreaterThan(10);
      expect(await shownBy(page)).toEqual(original);
    }).toPass();
    await home.context().close();
  });

test('the Export menu goes by keys, and fits a phone', async ({ page }) => {
  await open(page, here, '/runs');
  await page.locator('[data-run] [data-open]').first().click();
  const button = page.getByRole('button', { name: 'Export', exact: true });
  await button.press('Enter');
  const items = page.getByRole('menuitem');
  await expect(items.first()).toBeFocused();
  await expect(items).toHaveText([
    ...[/^Capture/, /^Time series/, /^JSON lines/, /^Trace/, /^Run bundle/],
    ...[/^Report \(HTML/, /^Report \(Markdown/],
  ]);
  await page.keyboard.press('ArrowUp');
  await expect(items.last()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(items.first()).toBeFocused();
  await expectAccessible(page);
  await keepScreenshots(page, 'export-menu');
  await page.keyboard.press('Escape');
  await expect(items.first()).toBeHidden();
  await expect(button).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await button.click();
  const box = (await page.getByRole('menu').boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  const room = await page.evaluate(() => document.documentElement.clientWidth);
  expect(box.x + box.width).toBeLessThanOrEqual(room);
  expect(box.y + box.height).toBeLessThanOrEqual(844);
  await page.keyboard.press('Escape');
  // The palette exports too.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('wireshark');
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(file.suggestedFilename()).toMatch(/^verbslab-\w{10}\.pcapng$/);
});

test('a run that is here already leads to it, or comes a second time', async ({ page }) => {
  await open(page, here, '/runs');
  await choose(page, files.get('bulk')!);
  await expect(page.getByText('This run is already here, as run 1.')).toBeVisible();
  await keepScreenshots(page, 'import-already');
  await page.getByRole('link', { name: 'Open run 1' }).click();
  await expect(page.locator('[data-shows=imported]')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Import a second copy' }).click();
  await expectRun(page);
  await page.goto(`${here.origin}/runs?q=imported`);
  await expect(page.locator('[data-run]')).toHaveCount(3);
  await page
    .getByRole('button', { name: /^Details of run/ })
    .first()
    .click();
  await expect(page.locator('[data-shows=run-imported]')).toHaveText(hostname());
});

/** Drops a file on the page, as from the desktop. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ([named, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], named));
      return transfer;
    },
    [name, bytes.toString('base64')] as const,
  );
  await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer: data });
}

test('a file that is dropped is imported, or refused with the reason', async ({ page }) => {
  await open(page, here, '/runs');
  const bundle = readFileSync(files.get('minimal-flow')!);
  const alert = page.getByRole('main').getByRole('alert');
  await drop(page, 'notes.vlrun', Buffer.from('not a bundle at all'));
  await expect(alert).toContainText('This file is not a run bundle');
  await drop(page, 'short.vlrun', bundle.subarray(0, bundle.length / 2));
  await page.getByRole('button', { name: 'Import a second copy' }).click();
  await expect(alert).toContainText('The bundle is incomplete: the file ends inside a block.');
  await expectAccessible(page);
  await keepScreenshots(page, 'import-refused');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(alert).toHaveCount(0);
  await expect(page.locator('[data-run]')).toHaveCount(3);
  await drop(page, 'flow.vlrun', bundle);
  await expect(alert).toContainText('This run is already here');
});
