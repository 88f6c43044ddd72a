// Explanations: without a run, then with one that the page started, and what their controls compute, by another road.
import { expect, type Page } from '@playwright/test';
import { Audit } from '../audit/audit.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun } from '../audit/export.js';
import { readWire, type Wire } from '../audit/wire.js';
import { agent, test } from '../lib/agent-test.js';
import { downloadCapture, expectAccessible, keepScreenshots } from '../lib/page.js';

/** Runs the lab from the page of its explanation, which has no run yet. Gives the run that the page then shows. */
async function fill(page: Page): Promise<string> {
  await expect(page.getByText('Your latest runs have no records for this page yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Run it now' }).click();
  const shown = page.locator('[data-run]');
  await expect(shown).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('group', { name: 'Controls' })).toBeVisible({ timeout: 60_000 });
  return (await shown.getAttribute('data-run'))!;
}

/** The page with its charts, and with the tables behind them. */
async function audit(page: Page, name: string, id: string, wire: Wire | null = null): Promise<void> {
  const audited = new Audit(new Evidence(await exportRun(page, id), wire));
  await audited.page(page, name);
  await page.getByRole('button', { name: /^Show the table behind/ }).click();
  await audited.page(page, `${name}, tables`);
  await page.getByRole('button', { name: /^Show the chart/ }).click();
  expect([...audited.compared]).toEqual(
    expect.arrayContaining(['explained-figure', 'explained-table', 'explained-curve']),
  );
}

test('the slowest WRITEs of a run are left out, and the mean moves', async ({ page }) => {
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/labs`);
  await page.getByRole('main').getByRole('link', { name: 'Explanations', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Not yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Averages hide spikes/ }).click();
  await expect(page).toHaveURL(/\/explanations\/averages$/);
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('Averages hide spikes');
  const id = await fill(page);
  await audit(page, 'Averages', id);

  // By keyboard: 1, 2, 5, 10, … of the slowest.
  const slowest = page.getByRole('slider', { name: 'Slowest WRITEs left out' });
  await slowest.press('End');
  await expect(slowest).toHaveAttribute('aria-valuetext', '2,000');
  await expect(page).toHaveURL(/removed=2000/);
  await page.getByRole('slider', { name: 'Percentile' }).press('ArrowLeft');
  await expect(page).toHaveURL(/percentile=95/);
  await audit(page, 'Averages without the slowest', id);
  await expectAccessible(page);
  await keepScreenshots(page, 'explanation-averages');

  // The address has the controls.
  await page.reload();
  await expect(slowest).toHaveAttribute('aria-valuetext', '2,000');
});

test('a lost packet of a capture shows what go-back-N and selective repeat send', async ({ page }) => {
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/labs/loss-amplification`);
  await page.getByRole('region', { name: 'Explore with your figures' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/explanations\/amplification$/);
  const id = await fill(page);
  await page.getByRole('link', { name: 'Open the run' }).click();
  const wire = readWire(await downloadCapture(page, 'explained-losses.pcapng'));
  await page.goBack();
  await expect(page.getByRole('group', { name: 'Controls' })).toBeVisible({ timeout: 60_000 });
  await audit(page, 'Loss amplification', id, wire);
  await page.getByLabel('Lost packet').selectOption({ index: 0 });
  await expect(page).toHaveURL(/loss=0/);
  await audit(page, 'Loss amplification, another loss', id, wire);
  await expectAccessible(page);
  await keepScreenshots(page, 'explanation-amplification');
});
