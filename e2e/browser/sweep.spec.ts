// A sweep from the form of a lab to its curves: progress, pause, reload, resume, the runs behind its points, and back.
import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectRun, keepFoldsOpen, keepScreenshots, signIn, state } from '../lib/page.js';

// The list of sweeps includes those of the tests before.
test.describe.configure({ mode: 'serial' });

const QUICK = 'duration=0.3&omit=0.1&repeat=1';

/** The part of the form that starts a sweep, opened. */
async function sweepForm(page: Page) {
  await page.goto(`${agent.origin}/labs/bulk?${QUICK}`);
  return page.locator('[data-sweep-form]');
}

/** Labels of a chart that cover each other. */
const overlaps = (chart: Locator): Promise<string[]> =>
  chart.locator('svg text').evaluateAll((texts) =>
    texts.flatMap((one, i) =>
      texts.slice(i + 1).flatMap((other) => {
        const [a, b] = [one, other].map((text) => text.getBoundingClientRect());
        // The box of a line has three pixels without ink above its figures and below them.
        const apart =
          a!.right <= b!.left + 1 ||
          b!.right <= a!.left + 1 ||
          a!.bottom <= b!.top + 5 ||
          b!.bottom <= a!.top + 5;
        return apart ? [] : [`${one.textContent} / ${other.textContent}`];
      }),
    ),
  );

test('a sweep goes from the form to its curves, with a pause and a reload on the way', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  const form = await sweepForm(page);
  const start = form.getByRole('button', { name: 'Start sweep' });
  await form.getByLabel('Swept parameter 1').selectOption('size');
  const values = form.getByLabel('Values of parameter 1');
  await values.fill('4KiB..64KiB');
  await expect(form.getByRole('alert')).toHaveText('Step: Enter a factor above 1, for example 2.');
  await expect(start).toBeDisabled();
  // The plain fields and the expression stay in step.
  await expect(form.getByLabel('To', { exact: true })).toHaveValue('64KiB');
  await form.getByLabel('Step', { exact: true }).selectOption('multiply by');
  await form.getByLabel('Factor per step').fill('4');
  await expect(values).toHaveValue('4KiB..64KiB*4');
  await form.getByLabel('From', { exact: true }).fill('1 B');
  await expect(form.getByRole('alert')).toContainText('From: 1 B is too small.');
  await form.getByLabel('From', { exact: true }).fill('4KiB');
  await expect(form.locator('[data-sweep-values]')).toHaveText(/^3 values: 4.KiB, 16.KiB, 64.KiB$/);
  await form.getByLabel('Repetitions').fill('2');
  await expect(form.locator('[data-sweep-runs]')).toHaveText(
    /^3 points × 2 repetitions = 6 runs\. Takes at least \d/,
  );
  await keepScreenshots(page, 'sweep-form');
  await expectAccessible(page);
  await start.click();
  await expect(page).toHaveURL(/\/sweeps\?id=[0-9a-z]{10}$/);

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'paused');
  await page.reload();
  await expect(state(page)).toHaveAttribute('data-state', 'paused');
  await page.getByRole('button', { name: 'Resume' }).click();

  // Another run is refused while the sweep goes on, with the way to it.
  const other = await page.context().newPage();
  await other.goto(`${agent.origin}/labs/bulk?${QUICK}`);
  await other.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(other.getByRole('link', { name: 'Open sweep 1' }).first()).toBeVisible();
  await other.close();

  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.locator('[data-sweep-progress]')).toHaveText('6 of 6 runs');
  await expect(page.locator('[data-measured=done]')).toHaveCount(6);
  const curve = page.locator('[data-sweep-curve=goodput]');
  await expect.poll(() => overlaps(curve)).toEqual([]);
  await keepScreenshots(page, 'sweep-done');
  await expectAccessible(page);

  const chart = page.getByRole('application', { name: /^Goodput\./ });
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const behind = page.locator('[data-runs-behind]');
  await expect(behind.getByRole('heading')).toHaveText(/^Runs at 64.KiB$/);
  await expect(behind.getByRole('link', { name: 'Round 1' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(behind).toHaveCount(0);
  await expect(chart).toBeFocused();
  await chart.click();
  await behind.getByRole('link', { name: 'Round 2' }).click();
  await expect(page.locator('[data-shows=parameters]')).toContainText('16 KiB');
  await page.goBack();
  await expect(chart).toBeVisible();

  await page.keyboard.press('t');
  const table = page.getByRole('table', { name: 'Goodput' });
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('link', { name: 'Round 1' })).toHaveCount(3);
  await expectAccessible(page);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('verbslab-sweep-1.json');
  const saved = JSON.parse(readFileSync(await file.path(), 'utf8')) as Record<string, unknown[]>;
  expect(saved).toMatchObject({ sweep: { number: 1, state: 'done' }, curves: expect.any(Array) });
  expect(saved.measurements).toHaveLength(6);

  await page.locator('[data-point="1"]').getByRole('link', { name: 'Round 2' }).click();
  await expectRun(page);
  await expect(page.locator('[data-shows=parameters]')).toContainText('16 KiB');
  await page.getByRole('link', { name: 'Sweep 1, point 2, round 2' }).click();
  await expect(page).toHaveURL(/\/sweeps\?id=/);
  await page.goto(`${agent.origin}/runs`);
  const details = page.getByRole('button', { name: /^Details of run/ });
  await expect(details).toHaveCount(6);
  for (const one of await details.all()) await one.click();
  await expect(page.getByRole('link', { name: 'Sweep 1', exact: true })).toHaveCount(6);
  await keepScreenshots(page, 'runs-of-sweep');
});

test('a sweep over two parameters is a heat map, and keeps its points when it is cancelled', async ({
  page,
}) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  const form = await sweepForm(page);
  await form.getByLabel('Swept parameter 1').selectOption('size');
  await form.getByLabel('Values of parameter 1').fill('4KiB,64KiB');
  await form.getByRole('button', { name: 'Add second parameter' }).click();
  await form.getByLabel('Swept parameter 2').selectOption('depth');
  await form.getByLabel('Values of parameter 2').fill('16,64');
  await form.getByLabel('Repetitions').fill('100');
  await form.getByRole('button', { name: 'Start sweep' }).click();
  await expect(page).toHaveURL(/\/sweeps\?id=/);
  const map = page.getByRole('group', { name: 'Heat map: RDMA Goodput' });
  await expect(map.locator('[data-cell]')).toHaveCount(4);
  await expect(page.locator('[data-point="3"]').getByRole('link', { name: 'Round 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Keep it running' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the sweep' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'cancelled');
  await expect(map.locator('[data-cell]')).toHaveCount(4);
  await map.getByRole('button', { name: /open the runs at 64.KiB, 64.WRs$/ }).click();
  await expect(page.locator('[data-runs-behind]').getByRole('link', { name: 'Round 2' })).toBeVisible();
  await keepScreenshots(page, 'sweep-grid');
  await expectAccessible(page);
  await page.goto(`${agent.origin}/sweeps`);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await keepScreenshots(page, 'sweeps');
  await expectAccessible(page);
});

test('a sweep over choices is drawn as dots, and a point with one run leads to it', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/bulk?${QUICK}&transport=rdma`);
  const form = page.locator('[data-sweep-form]');
  await form.getByLabel('Swept parameter 1').selectOption('operation');
  const expression = form.getByLabel('Values of parameter 1');
  await expect(expression).toHaveValue('write,read,send');
  for (const name of ['Write', 'Read', 'Send']) await form.getByLabel(name, { exact: true }).uncheck();
  await expect(form.getByRole('alert')).toHaveText('Choose at least one value.');
  await form.getByLabel('Send', { exact: true }).check();
  await form.getByLabel('Write', { exact: true }).check();
  await expect(expression).toHaveValue('write,send');
  await form.getByLabel('Repetitions').fill('1');
  await form.getByLabel('Repetitions').press('Enter');
  await expect(page).toHaveURL(/\/sweeps\?id=/);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const chart = page.locator('[data-choice-chart=goodput]');
  await expect(chart.locator('[data-median]')).toHaveCount(2);
  await keepScreenshots(page, 'sweep-choices');
  await expectAccessible(page);
  await chart.getByRole('button', { name: /open the runs at send$/ }).click();
  await expectRun(page);
  await expect(page.locator('[data-shows=parameters]')).toContainText('send');
});
