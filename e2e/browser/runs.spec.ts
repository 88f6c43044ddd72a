// Work with many runs: find, sort, compare, open and delete them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { RunRecord } from '@verbslab/protocol';
import { newHome, removeHome, startAgent, type RunningAgent } from '../lib/agent.js';
import { writeHistory, writeUnfinished, type PastRun } from '../lib/history.js';
import { test } from '../lib/page-test.js';
import { expectAccessible, expectRun, keepScreenshots, signIn, state } from '../lib/page.js';

/** More than one page of the list, which has 200. */
const PAST = 229;
const BULK = 'RDMA and TCP on bulk transfers';
const COMMAND = ['/opt/perftest/ib_write_bw', '-d', 'uroce0', '--report_gbits', '-s', '65536'];

let home: string;
let agent: RunningAgent;
/** Records of the past runs. */
let runs: RunRecord[];

/** Record of run 230, in which the previous agent was killed. */
let killed: RunRecord;

/**
 * Past runs. Even numbers are bulk transfers, the older the faster. Run 17 is the only one with another host, 20 a
 * program.
 */
function past(number: number): PastRun {
  if (number === 20)
    return {
      lab: 'program',
      title: 'ib_write_bw -d uroce0 --report_gbits -s 65536',
      parameters: { command: COMMAND },
      state: 'failed',
    };
  if (number % 2 === 1)
    return {
      lab: 'minimal-flow',
      title: 'One WRITE, step by step',
      parameters: { size: number },
      state: 'done',
      ...(number === 17 ? { host: 'vm1' } : {}),
    };
  return {
    lab: 'bulk',
    title: BULK,
    parameters: { size: number % 4 === 0 ? 65_536 : 4096, depth: number, operation: 'write' },
    state: number % 50 === 0 ? 'failed' : 'done',
    gbps: [300 - number, 10],
  };
}

test.beforeAll(async () => {
  home = newHome();
  runs = writeHistory(
    home,
    Array.from({ length: PAST }, (_, i) => past(i + 1)),
  );
  killed = writeUnfinished(home, { lab: 'bulk', title: BULK, parameters: { size: 65_536 } });
  agent = await startAgent(home);
});
test.afterAll(async () => {
  await agent.stop();
  removeHome(home);
});

/** Options of a click on a row. The row's link covers its content and takes the click. */
const ANYWHERE = { force: true } as const;

/** Opens the list with this query. */
async function open(page: Page, query = ''): Promise<void> {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs${query}`);
  await expect(rows(page).first()).toBeVisible();
}

const rows = (page: Page) => page.locator('[data-run]');
const row = (page: Page, number: number) => page.locator(`[data-run="${runs[number - 1]!.id}"]`);
const tick = (page: Page, number: number) => page.getByLabel(`Select run ${number}`, { exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Selected runs' });
const heading = (page: Page, name: string) => page.getByRole('columnheader', { name });
/** Numbers of the runs shown, in order. */
const numbers = (page: Page) =>
  rows(page).evaluateAll((all) =>
    all.map((one) => Number(/\d+$/.exec(one.querySelector('input')!.getAttribute('aria-label')!)![0])),
  );
const url = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

test('a run opens from anywhere in its row, as a link does', async ({ page, context }) => {
  await open(page);
  await row(page, 228).getByText('done').click(ANYWHERE);
  await expect(page).toHaveURL(`${agent.origin}/runs/view?id=${runs[227]!.id}`);
  await page.goBack();
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    row(page, 229)
      .getByText('done')
      .click({ ...ANYWHERE, modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab).toHaveURL(`${agent.origin}/runs/view?id=${runs[228]!.id}`);
  await tab.close();
  expect(url(page)).toBe('/runs');
  await page.keyboard.press('j');
  await expect(row(page, 228).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${agent.origin}/runs/view?id=${runs[226]!.id}`);
});

test('older runs come page by page, below a heading that stays', async ({ page }) => {
  await open(page);
  await expect(rows(page)).toHaveCount(200);
  await expect(page.getByText('30 older runs are not loaded.')).toBeVisible();
  await page.getByRole('button', { name: 'Older runs' }).click();
  await expect(rows(page)).toHaveCount(PAST + 1);
  await row(page, 1).scrollIntoViewIfNeeded();
  await expect(heading(page, 'State')).toBeInViewport();
});

test('a run is one line with one figure, and opens its details by keys alone', async ({ page }) => {
  await open(page);
  await expect(heading(page, 'Figure')).toBeVisible();
  await expect(row(page, 228)).toContainText('RDMA goodput');
  const heights = await rows(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(44);
  // TCP was measured too.
  await expect(row(page, 228)).not.toContainText('10.0');
  await row(page, 228).getByRole('link').first().focus();
  await page.keyboard.press('Tab');
  const more = row(page, 228).getByRole('button', { name: 'Details of run 228' });
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  await expect(row(page, 228)).toContainText('10.0');
  await expectAccessible(page);
  await keepScreenshots(page, 'runs-details');
  await page.keyboard.press('Enter');
  await expect(row(page, 228)).not.toContainText('10.0');
});

test('sorting and filters cover the whole history, and Back undoes them', async ({ page }) => {
  await open(page);
  await page.getByRole('combobox', { name: 'Figure', exact: true }).selectOption('RDMA goodput');
  await expect(page).toHaveURL(/\?figure=rdma-goodput$/);
  await heading(page, 'RDMA Gb/s').getByRole('button').click();
  await expect(page).toHaveURL(/\?sort=-rdma-goodput&figure=rdma-goodput$/);
  await expect(heading(page, 'RDMA Gb/s')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(async () => (await numbers(page)).slice(0, 3)).toEqual([2, 4, 6]);
  await heading(page, 'RDMA Gb/s').getByRole('button').click();
  // The killed run, at 1 Gb/s.
  await expect.poll(async () => (await numbers(page)).slice(0, 3)).toEqual([230, 228, 226]);
  await page.getByRole('combobox', { name: 'Lab', exact: true }).selectOption('minimal-flow');
  await expect(page.getByText('115 of 230 runs')).toBeVisible();
  // Nothing is measured there, so there is no column for it.
  await expect(heading(page, 'RDMA Gb/s')).toHaveCount(0);
  await expect(heading(page, 'Figure')).toHaveCount(0);
  await page.goBack();
  await expect(heading(page, 'RDMA Gb/s')).toHaveAttribute('aria-sort', 'ascending');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(`${agent.origin}/runs`);
  expect((await numbers(page)).slice(0, 3)).toEqual([230, 229, 228]);
});

test('a search finds runs by parameters, host, command line and number', async ({ page }) => {
  await open(page);
  const search = page.getByLabel('Search runs');
  for (const [text, found] of [
    ['vm1', [17]],
    ['perftest report_gbits', [20]],
    ['depth=102', [102]],
    ['4 kib #86', [86]],
    ['interrupted', [230]],
  ] as const) {
    await search.fill(text);
    await expect.poll(() => numbers(page)).toEqual(found);
  }
  await expect(page).toHaveURL(/\?q=interrupted$/);
  await search.fill('no such run');
  await page.getByRole('button', { name: 'Show all runs' }).click();
  await expect(search).toHaveValue('');
  await search.fill('bulk');
  await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('failed');
  await expect.poll(() => numbers(page)).toEqual([200, 150, 100, 50]);
  await row(page, 150).getByText('failed').click(ANYWHERE);
  // The list has states of its own: Back may come only from the run.
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  await page.goBack();
  await expect.poll(() => numbers(page)).toEqual([200, 150, 100, 50]);
  await expect(search).toHaveValue('bulk');
  await page.goBack();
  await expect.poll(async () => (await numbers(page)).length).toBe(114);
});

test('an address with search and sort opens as it was, at every width', async ({ page }) => {
  await open(page, '?q=kib&state=done&lab=bulk&sort=rdma-p99');
  await expect.poll(async () => (await numbers(page)).slice(0, 2)).toEqual([2, 6]);
  await page.getByLabel('Search runs').fill('kib #10');
  await expect.poll(() => numbers(page)).toEqual([10, 102, 106]);
  await expect(row(page, 102)).toContainText('message size 4 KiB, depth 102 WRs');
  await page.goto(`${agent.origin}/runs?q=%2310`);
  await expect.poll(() => numbers(page)).toEqual([109, 108, 107, 106, 105, 104, 103, 102, 101, 100, 10]);
  await expectAccessible(page);
  await keepScreenshots(page, 'runs-search');
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(row(page, 102).getByText('198').first()).toBeVisible();
    const more = row(page, 102).getByRole('button', { name: 'Details of run 102' });
    await more.click();
    for (const text of ['4 KiB', '198', '0.160', '2.02', '3.1'])
      await expect(row(page, 102).getByText(text, { exact: false }).last()).toBeVisible();
    await expectAccessible(page);
    await more.click();
    await expect(page.getByLabel('Select all 11 runs shown')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
  await expectAccessible(page);
  await row(page, 102).getByText('198').click(ANYWHERE);
  await expect(page).toHaveURL(`${agent.origin}/runs/view?id=${runs[101]!.id}`);
});

test('a run that its agent was killed in has the figures of its samples', async ({ page }) => {
  await open(page, '?state=interrupted');
  const interrupted = page.locator(`[data-run="${killed.id}"]`);
  await expect(interrupted).toContainText('1.00*');
  const mark = interrupted.locator('[data-partial]').getByRole('button', { name: '*' });
  await mark.focus();
  await expect(mark).toHaveAccessibleDescription(/until it was interrupted after 0\.1\ss/);
  await expect(interrupted.getByText(/^Partial: /)).toBeVisible();
  await interrupted.locator('[data-state]').click(ANYWHERE);
  await expect(page.getByRole('table', { name: 'Goodput' }).locator('tr[data-transport=rdma]')).toContainText(
    '1.00',
  );
  await expect(page.getByText(/Partial figures: they cover the run until it was interrupted/)).toBeVisible();
});

test('runs are deleted one by one and together, and the focus stays in the list', async ({ page }) => {
  await open(page, '?state=done&lab=minimal-flow');
  await tick(page, 229).check();
  await bar(page).getByRole('button', { name: 'Delete 1 run' }).click();
  await expect(page.getByRole('dialog')).toContainText('Delete run 229?');
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(row(page, 229)).toBeVisible();
  // The keys alone delete a run.
  await row(page, 229).getByRole('link').first().focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(row(page, 229)).toHaveCount(0);
  await expect(row(page, 227).getByRole('link').first()).toBeFocused();
  // The range has a run that the agent cannot delete: a folder has the name of its capture.
  mkdirSync(join(home, 'captures', `${runs[222]!.id}.pcapng`));
  await tick(page, 225).click();
  await tick(page, 219).click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('4 runs selected');
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'Delete 4 runs' }).click();
  await expect(page.getByRole('dialog')).toContainText('runs 219, 221, 223, 225');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: '1 of 4 runs' })).toContainText('Run 223:');
  for (const gone of [219, 221, 225]) await expect(row(page, gone)).toHaveCount(0);
  await expect(row(page, 223)).toBeVisible();
  await expect(row(page, 217).getByRole('link').first()).toBeFocused();
});

test('all that is shown goes at once, but for a run in progress', async ({ page }) => {
  await open(page);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Step by step' }).click();
  await expect(page.getByRole('button', { name: 'Step 1: Open the device' })).toBeVisible();
  await page.goto(`${agent.origin}/runs?q=%2323`);
  await expect.poll(() => numbers(page)).toEqual([231, 230, 23]);
  await page.getByLabel('Select all 3 runs shown').check();
  await expect(bar(page)).toContainText('Run 231 is in progress and cannot be deleted. Cancel it first.');
  await keepScreenshots(page, 'runs-selected');
  await bar(page).getByRole('button', { name: 'Delete 2 runs' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => numbers(page)).toEqual([231]);
  await page.goto(`${agent.origin}/runs?lab=program`);
  await tick(page, 20).check();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No run matches.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
