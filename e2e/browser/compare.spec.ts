// Runs side by side: from the list, the palette, a run and a lab; every figure of the page has an independent check.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Locator, type Page } from '@playwright/test';
import type { RunRecord } from '@verbslab/protocol';
import { Audit } from '../audit/audit.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun } from '../audit/export.js';
import { verbslab } from '../lib/agent.js';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectRun, keepFoldsOpen, keepScreenshots, runIdOf, signIn } from '../lib/page.js';

let runs: Record<'bulk' | 'small' | 'single' | 'latency' | 'latencyLarge' | 'flow', RunRecord>;

/** Output of a command with this home, from JSON. */
async function json<T>(...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [verbslab, ...args, '--json'], {
    env: { ...process.env, VERBSLAB_HOME: agent.home },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

const BULK = ['duration=0.9', 'omit=0.2', 'capturePackets=0'];

/** Runs a lab, and returns the record of that run. */
async function run(lab: string, ...params: string[]): Promise<RunRecord> {
  await json('run', lab, ...params.flatMap((one) => ['--set', one]));
  return (await json<{ runs: RunRecord[] }>('runs', '-n', '1')).runs[0]!;
}

test.beforeAll(async ({ agent: _started }) => {
  runs = {
    bulk: await run('bulk', ...BULK),
    small: await run('bulk', ...BULK, 'size=4096'),
    single: await run('bulk', ...BULK, 'transport=tcp', 'repeat=1'),
    latency: await run('latency', 'duration=100', 'repeat=2'),
    latencyLarge: await run('latency', 'duration=100', 'repeat=2', 'size=16384'),
    flow: await run('minimal-flow'),
  };
});
test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
});

const ids = (...list: { id: string }[]): string => list.map(({ id }) => id).join(',');

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`${agent.origin}/runs/compare?${query}`);
  await expect(page.locator('[data-answer]')).toBeVisible();
}

/** The charts have drawn all that was recorded. */
async function drawn(page: Page, lines: number): Promise<void> {
  const charts = page.locator('[data-chart=compare-goodput-series]');
  await expect(charts.locator('[data-line]')).toHaveCount(lines);
  await expect(page.getByText('Reading the records…')).toHaveCount(0);
}

const noSideways = async (page: Page): Promise<void> =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

const card = (page: Page, letter: string): Locator => page.locator(`[data-compared=${letter}]`);

test('every figure of two bulk runs agrees with their records', async ({ page }) => {
  await open(page, `ids=${ids(runs.bulk, runs.small)}&show=rdma,shm,tcp`);
  await drawn(page, 6);
  const data = [await exportRun(page, runs.bulk.id), await exportRun(page, runs.small.id)];
  const asked = { duration: '0.9', omit: '0.2', capturePackets: '0' };
  const evidence = new Map(
    data.map((one, i) => [
      one.run.id,
      new Evidence(one, null, { peers: data, asked: i === 1 ? { ...asked, size: '4096' } : asked }),
    ]),
  );
  const audit = new Audit(evidence);
  await audit.page(page, 'Comparison of two bulk runs');
  await page.getByText(/^Show \d+ equal settings$/).click();
  await page.keyboard.press('t');
  await expect(page.locator('table[data-shows=compare-goodput-series]')).toBeVisible();
  await audit.page(page, 'Comparison of two bulk runs, tables');
  expect([...audit.compared]).toEqual(
    expect.arrayContaining([
      ...['compare-answer', 'compare-condition', 'compare-figure', 'compare-range', 'compare-change'],
      ...['compare-samples', 'chart-p50', 'compare-distance', 'compare-latency-table', 'compare-cost-table'],
      ...['compare-goodput-series', 'compare-app-series', 'compare-kernel-series'],
      ...['scatter-table', 'scatter-goodput', 'scatter-cpu', 'run-parameters', 'provider', 'created'],
    ]),
  );
});

test('what differs stands out, the baseline can be changed, and the address holds it all', async ({
  page,
}) => {
  await open(page, `ids=${ids(runs.bulk, runs.small, runs.single)}`);
  await drawn(page, 3);
  const differences = page.getByRole('region', { name: 'What differs' });
  await expect(differences.locator('[data-row="param.size"]').first()).toContainText('4 KiB');
  await expect(differences.locator('[data-row="param.depth"]')).toBeHidden();
  await expect(page.locator('[data-shows=compare-caveat]')).toContainText(
    /C measured 1 round\. A verdict on so many figures needs \d\./,
  );
  const goodput = page.locator('[data-row="tcp.goodput"] td');
  await expect(goodput.nth(0).locator('[data-shows=compare-change]')).toHaveCount(0);
  await expect(goodput.nth(2).locator('[data-shows=compare-change]')).toHaveText(/^[+−].+\*$/);
  await keepScreenshots(page, 'compare');
  await expectAccessible(page);

  await page.getByRole('radio', { name: `Baseline: B, run ${runs.small.number}` }).click();
  await expect(page).toHaveURL(new RegExp(`base=${runs.small.id}$`));
  await expect(goodput.nth(1).locator('[data-shows=compare-change]')).toHaveCount(0);
  await expect(goodput.nth(0).locator('[data-shows=compare-change]')).toBeVisible();
  await page.getByRole('button', { name: 'Hide C' }).click();
  await drawn(page, 2);
  await page
    .getByRole('group', { name: 'Transports in the charts' })
    .getByRole('button', { name: 'RDMA', exact: true })
    .click();
  await drawn(page, 4);
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await drawn(page, 4);
  await expect(page.getByRole('radio', { name: /^Baseline: B/ })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Show C' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Remove C' }).click();
  await expect(card(page, 'C')).toHaveCount(0);
  await page.goBack();
  await expect(card(page, 'C')).toBeVisible();

  // The keyboard moves one crosshair over all charts of time.
  const chart = page.getByRole('application', { name: /^Goodput of the runs/ });
  await chart.focus();
  // A chart may have a hole where another one has a value.
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('[data-tip=compare]')).toHaveCount(4, { timeout: 2_000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 900 });
  await noSideways(page);
  await expectAccessible(page);
});

test('labs without loops compare their figures and curves, or say that there is nothing', async ({
  page,
}) => {
  await open(page, `ids=${ids(runs.latency, runs.latencyLarge)}`);
  await expect(page.locator('[data-nothing-over-time]')).toBeVisible();
  // The order of the two depends on the measurement.
  const names = page.locator('[data-curve="distribution tcp"] svg [data-name]');
  await expect.poll(async () => (await names.allTextContents()).sort()).toEqual(['A', 'B']);
  await expect(page.locator('[data-row=tcp] [data-shows=compare-change]')).toHaveCount(1);
  await keepScreenshots(page, 'compare-latency');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await noSideways(page);
  await open(page, `ids=${ids(runs.bulk, runs.flow)}`);
  await expect(page.locator('[data-answer]')).toContainText('no figure in common');
  await expect(page.locator('[data-shows=compare-warning]').first()).toContainText('different labs');
});

test('a comparison starts from the list, the keyboard, a run and a lab', async ({ page }) => {
  await page.goto(`${agent.origin}/runs`);
  const tick = (one: RunRecord) => page.getByLabel(`Select run ${one.number}`, { exact: true });
  const bar = page.getByRole('region', { name: 'Selected runs' });
  for (const one of [runs.bulk, runs.small]) await tick(one).check();
  await bar.getByRole('link', { name: 'Compare' }).click();
  await expect(page).toHaveURL(`${agent.origin}/runs/compare?ids=${ids(runs.small, runs.bulk)}`);
  await expect(page.locator('[data-answer]')).toBeVisible();
  await page.goBack();
  for (const one of [runs.latency, runs.latencyLarge]) await tick(one).check();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByPlaceholder('Type a command').fill('compare');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/runs\/compare\?ids=/);

  await page.goto(`${agent.origin}/runs/view?id=${runs.bulk.id}`);
  await page.getByRole('link', { name: 'Compare with…' }).click();
  const picker = page.getByRole('region', { name: 'Add a run' });
  await picker.getByLabel('Find a run').fill('4 KiB');
  await picker.getByRole('button').first().click();
  await expect(page).toHaveURL(new RegExp(`ids=${ids(runs.bulk, runs.small)}$`));
  await expect(page.locator('[data-answer]')).toBeVisible();
  // A run that was opened without its packets has them on its own page.
  await card(page, 'A').getByRole('link').click();
  await expect(page.locator('[data-shows=completions]')).toHaveText(/^[\d,]{3,}$/);

  await page.goto(`${agent.origin}/labs/latency?run=${runs.latencyLarge.id}`);
  await page.getByRole('link', { name: 'Compare both runs in full' }).click();
  await expect(page).toHaveURL(new RegExp(`ids=${ids(runs.latency, runs.latencyLarge)}$`));
});

test('many runs are points of one chart, which lead to them', async ({ page }) => {
  const sweep = await json<{ measurements: { runId: string }[] }>(
    ...['run', 'bulk', '--sweep', 'depth=16,64', '--repeat', '1'],
    ...[...BULK, 'transport=shm-and-tcp', 'repeat=1'].flatMap((one) => ['--set', one]),
  );
  const swept = sweep.measurements.map(({ runId }) => ({ id: runId }));
  await page.goto(`${agent.origin}/runs`);
  await page.getByLabel(/^Select all \d+ runs shown$/).check();
  const bar = page.getByRole('region', { name: 'Selected runs' });
  await expect(bar.getByRole('link', { name: 'Compare' })).toHaveCount(0);
  await bar.getByRole('link', { name: 'Scatter' }).click();
  await expect(page).toHaveURL(/\/runs\/scatter\?ids=/);
  // Three transports of two runs, one of another, two of each point of the sweep.
  await expect(page.locator('[data-dot]')).toHaveCount(11);
  await expect(page.locator('[data-front]')).toContainText('Pareto front');
  const all = [runs.bulk, runs.small, runs.single, ...swept];
  const data = await Promise.all(all.map(({ id }) => exportRun(page, id)));
  const audit = new Audit(new Map(data.map((one) => [one.run.id, new Evidence(one, null, { peers: data })])));
  await audit.page(page, 'Scatter');
  await page.keyboard.press('t');
  await audit.page(page, 'Scatter, table');
  expect([...audit.compared]).toEqual(
    expect.arrayContaining(['scatter-table', 'scatter-goodput', 'scatter-cpu']),
  );
  await page.keyboard.press('t');
  await keepScreenshots(page, 'scatter');
  await expectAccessible(page);
  const chart = page.getByRole('application', { name: /^Goodput against CPU time/ });
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/runs\/view\?id=/);
  await page.goBack();
  // Marks may lie on each other: the last one is on top.
  const top = page.locator('[data-dot-link]').last();
  const [id] = (await top.getAttribute('data-dot-link'))!.split(' ');
  await top.click();
  await expect(page).toHaveURL(new RegExp(`/runs/view\\?id=${id}$`));
});

test('a run that is gone is named, and the others are compared; one in progress says so', async ({
  page,
}) => {
  await open(page, `ids=${ids(runs.bulk, { id: 'zzzzzzzzzz' }, runs.small)},x`);
  await expect(page.locator('[data-refused=zzzzzzzzzz]')).toContainText('Run zzzzzzzzzz is not compared.');
  await expect(page.locator('[data-refused=x]')).toContainText('There is no run “x”.');
  await expect(card(page, 'B')).toContainText(`Run ${runs.small.number}`);
  // The faster run, if there is a clear difference, depends on the measurement.
  await expect(page.locator('[data-answer]')).toContainText(
    /^(?:[AB] moves more|Which run moves more|There is no clear difference in goodput)/,
  );
  await expectAccessible(page);

  const other = await page.context().newPage();
  await other.goto(`${agent.origin}/labs/bulk?duration=30&repeat=1&transport=tcp`);
  await other.getByRole('button', { name: 'Run', exact: true }).click();
  await expectRun(other);
  const going = runIdOf(other);
  await open(page, `ids=${ids(runs.single, { id: going })}`);
  await expect(page.locator('[data-shows=compare-state]')).toContainText(
    'is still in progress: its figures are those of now.',
  );
  await expect(page.locator('[data-row="tcp.goodput"] [data-shows=compare-figure]').nth(1)).toHaveText(
    /Gb\/s$/,
  );
  await other.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.locator('[data-shows=compare-state]')).toContainText('was cancelled');
  await page.goto(`${agent.origin}/runs/compare`);
  await expect(page.getByRole('link', { name: 'Choose runs' })).toBeVisible();
});
