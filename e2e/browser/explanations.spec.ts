// Explanations: without a run, then with one that the page started, with an independent check of the results of their
// controls.
import { expect, type Page } from '@playwright/test';
import { Audit } from '../audit/audit.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun } from '../audit/export.js';
import { readWire, type Wire } from '../audit/wire.js';
import { agent, test } from '../lib/agent-test.js';
import {
  downloadCapture,
  expectAccessible,
  keepFoldsOpen,
  keepScreenshots,
  runIdOf,
  signIn,
  state,
} from '../lib/page.js';

/**
 * Runs the lab from the page of its explanation, which has no run yet, but perhaps a recorded sample. Returns the ID of the
 * run that the page then shows.
 */
async function fill(page: Page, sampled = false): Promise<string> {
  await expect(
    page.getByText(sampled ? 'Recorded sample' : 'Your latest runs have no records for this page yet.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Run it now' }).click();
  const shown = page.locator('[data-run]:not([data-run=sample])');
  await expect(shown).toBeVisible();
  await expect(page.locator('[data-explains]').first()).toBeVisible();
  return (await shown.getAttribute('data-run'))!;
}

/** Audits the page with its charts, and with the tables behind them. */
async function audit(page: Page, name: string, id: string, wire: Wire | null = null): Promise<void> {
  const audited = new Audit(new Evidence(await exportRun(page, id), wire));
  await audited.page(page, name);
  const shown = [
    'explained-table',
    ...((await page.locator('[data-shows="explained-figure"]').count()) > 0 ? ['explained-figure'] : []),
  ];
  // A ladder is no chart.
  const behind = page.getByRole('button', { name: /^Show the table behind: (?!Ladder)/ });
  if ((await behind.count()) === 0)
    return expect([...audited.compared]).toEqual(expect.arrayContaining(shown));
  await behind.first().click();
  await audited.page(page, `${name}, tables`);
  await page
    .getByRole('button', { name: /^Show the chart/ })
    .first()
    .click();
  expect([...audited.compared]).toEqual(expect.arrayContaining([...shown, 'explained-curve']));
}

test('the slowest WRITEs of a run are left out, and the mean moves', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs`);
  await page.getByRole('link', { name: 'Explanations', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Of many hosts and switches' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Averages hide spikes/ }).click();
  await expect(page).toHaveURL(/\/explanations\/averages$/);
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('Averages hide spikes');
  const id = await fill(page);
  const window = page.getByRole('slider', { name: 'Averaging window' });
  await expect(window).toHaveAttribute('aria-valuetext', '10 ms');
  await audit(page, 'Averages', id);

  // A longer window leaves less of the spikes; how much, a busy machine decides.
  await window.press('End');
  const longest = await window.getAttribute('aria-valuetext');
  expect(longest).not.toBe('10 ms');
  await expect(page.getByText(new RegExp(`^Averaged over ${longest}, (no|a) spike shows`))).toBeVisible();
  await expect(page).toHaveURL(/window=\d/);

  // The keyboard goes through 1, 2, 5, 10, … of the slowest.
  const slowest = page.getByRole('slider', { name: 'Slowest WRITEs left out' });
  await slowest.press('End');
  await expect(slowest).toHaveAttribute('aria-valuetext', '2,000');
  await expect(page).toHaveURL(/removed=2000/);
  await page.getByRole('slider', { name: 'Percentile' }).press('ArrowLeft');
  await expect(page).toHaveURL(/percentile=95/);
  await audit(page, 'Averages without the slowest', id);
  await expectAccessible(page);
  await keepScreenshots(page, 'explanation-averages');

  // The address keeps the controls.
  await page.reload();
  await expect(slowest).toHaveAttribute('aria-valuetext', '2,000');
});

/** Further pages: the move of the control, and the place of the choice in the address. */
const MOVED: readonly {
  id: string;
  title: string;
  sampled?: true;
  move: (page: Page) => Promise<void>;
  address: RegExp;
}[] = [
  {
    id: 'waiting',
    title: 'Polling or events',
    move: (page) => page.getByRole('slider', { name: 'Messages per second' }).press('End'),
    address: /rate=\d/,
  },
  {
    id: 'setup',
    title: 'Slow setup, fast data path',
    move: (page) => page.getByRole('slider', { name: 'Messages over the connection' }).press('End'),
    address: /messages=\d/,
  },
  {
    id: 'states',
    title: 'The QP state machine',
    sampled: true,
    move: (page) => page.getByRole('button', { name: /^RTS/ }).first().click(),
    address: /at=RTS/,
  },
  {
    id: 'copies',
    title: 'Zero copy and the copy path',
    move: async (page) => {
      await page.getByLabel('Message size').selectOption({ index: 1 });
    },
    address: /size=\d/,
  },
];
for (const { id: explanation, title, sampled, move, address } of MOVED)
  test(`${title}: the control moves the picture and the figures`, async ({ page }) => {
    await signIn(page, agent);
    await keepFoldsOpen(page);
    await page.goto(`${agent.origin}/explanations/${explanation}`);
    const id = await fill(page, sampled);
    await expect(page.getByRole('combobox', { name: 'Figures of' })).toContainText(/^Your run \d/);
    const picture = () => page.locator('[data-run] .chart svg, [data-run] [aria-pressed="true"]');
    const drawn = () => picture().evaluateAll((all) => all.map((one) => one.outerHTML));
    const stated = () => page.locator('[data-shows^="explained-"]').allInnerTexts();
    const before = { drawn: await drawn(), stated: await stated() };
    await move(page);
    await expect(page).toHaveURL(address);
    await expect.poll(drawn).not.toEqual(before.drawn);
    await expect.poll(stated).not.toEqual(before.stated);
    await audit(page, title, id);
    await expectAccessible(page);
    await keepScreenshots(page, `explanation-${explanation}`);
  });

test('a lost packet of a capture shows what go-back-N and selective repeat send', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/loss-amplification`);
  await page.locator('[data-fold=explanations]').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/explanations\/amplification$/);
  const id = await fill(page, true);
  await page.getByRole('link', { name: 'Open the run' }).click();
  const wire = readWire(await downloadCapture(page, 'explained-losses.pcapng'));
  await page.goBack();
  await expect(page.getByRole('group', { name: 'Controls' })).toBeVisible();
  await audit(page, 'Loss amplification', id, wire);
  await page.getByLabel('Lost packet', { exact: true }).selectOption({ index: 0 });
  await expect(page).toHaveURL(/loss=0/);
  await audit(page, 'Loss amplification, another loss', id, wire);
  const audited = new Audit(new Evidence(await exportRun(page, id), wire));
  await page.getByRole('button', { name: 'Show the table behind: Ladder' }).click();
  await audited.page(page, 'Ladder as a table');
  expect([...audited.compared]).toEqual(expect.arrayContaining(['ladder-answer', 'ladder-table']));
  await expectAccessible(page);
  await keepScreenshots(page, 'explanation-amplification');
});

for (const { id, lab, asked, keys, table } of [
  {
    ...{ id: 'window', lab: 'delay-and-window', asked: 'duration=30&repeat=1' },
    ...{ keys: ['Home', 'PageUp', 'End'], table: 'Goodput by window' },
  },
  {
    ...{ id: 'incast', lab: 'incast', asked: 'duration=40&repeat=2' },
    ...{ keys: ['Home', 'PageUp', 'End'], table: 'Waits by clients' },
  },
] as const)
  test(`the figure of ${id} says of an own run what its records say`, async ({ page }) => {
    await signIn(page, agent);
    await page.goto(`${agent.origin}/labs/${lab}?${asked}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(state(page)).toHaveAttribute('data-state', 'done');
    const run = runIdOf(page);
    await page.goto(`${agent.origin}/explanations/${id}?run=${run}`);
    const handle = page.locator('[data-explorable]').getByRole('slider');
    await expect(handle).toBeVisible();
    const audited = new Audit(new Evidence(await exportRun(page, run), null));
    for (const key of keys) {
      await handle.press(key);
      await audited.page(page, `${id} after ${key}`);
    }
    await page.getByRole('button', { name: `Show the table behind: ${table}` }).click();
    await audited.page(page, `${id}, table`);
    expect([...audited.compared]).toEqual(
      expect.arrayContaining(['explorable-answer', 'explorable-table', `${id}-text`, `${id}-note`]),
    );
  });
