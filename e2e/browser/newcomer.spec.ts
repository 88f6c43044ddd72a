// First use: start, open the printed address, run both labs, read the figures, take the capture, reload, cancel, look
// back.
import { expect, type Page } from '@playwright/test';
import type { RunRecord } from '@verbslab/protocol';
import { agent, test } from '../lib/agent-test.js';
import { checkIcrc, dissect } from '../lib/capture.js';
import {
  downloadCapture,
  expectAccessible,
  expectRun,
  keepFoldsOpen,
  keepScreenshots,
  runIdOf,
  signIn,
  state,
} from '../lib/page.js';
import {
  expectAllPanelsDrawn,
  expectColumnsOfCompletions,
  expectCrosshair,
  expectOldestCompletion,
  expectPanelsMove,
} from '../lib/panels.js';

test.describe.configure({ mode: 'serial' });

async function openHome(page: Page): Promise<void> {
  await keepFoldsOpen(page);
  await page.goto(await agent.link());
  await expect(page).toHaveURL(`${agent.origin}/`);
  await expect(page.getByText('uroce0').first()).toBeVisible();
}

function expectCleanCapture(path: string, atLeast: number): void {
  const dissected = dissect(path);
  expect(dissected.packets).toBeGreaterThanOrEqual(atLeast);
  expect(dissected).toEqual({ packets: dissected.packets, roce: dissected.packets, malformed: [] });
  expect(checkIcrc(path)).toEqual({ packets: dissected.packets, wrong: 0 });
}

test('the printed address opens the home page, and the code leaves the address', async ({ page }) => {
  await openHome(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    'A program writes into another machine’s memory.',
  );
  await page.getByRole('heading', { name: 'Recent runs' }).scrollIntoViewIfNeeded();
  await expect(page.getByText('Nothing has been run yet.')).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'home');
});

test('home opens three doors, and the facts of this host are on Hosts', async ({ page, context }) => {
  await openHome(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: agent.origin });
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await expect(page.locator('[data-door=debug]').getByRole('status')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npx verbslab exec -- ./program');
  await page.getByRole('link', { name: 'Start measuring' }).click();
  await expect(page).toHaveURL(/\/labs\/bulk$/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Hosts' }).click();
  await expect(page.getByText('::ffff:127.0.0.1').first()).toBeVisible();
  await expect(page.getByText('Locked-memory limit')).toBeVisible();
});

test('home opens its doors before the agent answers, and when it does not', async ({ page }) => {
  await openHome(page);
  // The worker holds the socket. A silent worker is an agent that has not answered yet; a failing one is an agent that
  // is gone.
  await page.addInitScript(() => {
    window.Worker = class {
      postMessage() {}
      terminate() {}
      set onerror(failed: () => void) {
        if (location.search === '?gone') setTimeout(failed);
      }
    } as unknown as typeof Worker;
  });
  await page.reload();
  await expect(page.locator('main [aria-busy]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start the guided WRITE' })).toBeVisible();
  await keepScreenshots(page, 'home-loading');
  await page.route('**/api/health', (route) => route.fulfill({ json: { signedIn: false } }));
  await page.goto(`${agent.origin}/?gone`);
  await expect(page.getByText('once you are signed in')).toBeVisible();
  await keepScreenshots(page, 'home-signed-out');
  await page.unroute('**/api/health');
  await page.route('**/api/health', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('as soon as the agent answers')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start the guided WRITE' })).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'home-disconnected');
});

test('the file that opens the browser signs it in, once', async ({ page, browser }) => {
  const file = await agent.redirect();
  await page.goto(file);
  await expect(page).toHaveURL(`${agent.origin}/`);
  await expect(page.getByText('uroce0').first()).toBeVisible();
  const other = await browser.newPage();
  await other.goto(file);
  await expect(other.getByRole('heading')).toContainText('This link has been used');
  await expect(other.getByText('verbslab open')).toBeVisible();
  await other.close();
});

test('the minimal flow runs to the end and shows calls, states, completions and packets', async ({
  page,
}) => {
  await openHome(page);
  await page.getByRole('link', { name: /^One WRITE, step by step/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('one RDMA WRITE');
  await expectAccessible(page);
  await keepScreenshots(page, 'lab-minimal-flow');
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.getByRole('heading', { name: 'What you have seen' })).toBeVisible();
  await expect(page.locator('[data-term=rkey]')).toContainText('Remote key');
  await expectAccessible(page);
  await keepScreenshots(page, 'run-minimal-flow-summary');
  await page.locator('button[data-step=write]').click();
  await expect(page.getByText('ibv_post_send').first()).toBeVisible();
  await expect(page.getByText(/WRITE (First|Only)/).first()).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'run-minimal-flow');
  expectCleanCapture(await downloadCapture(page, 'minimal-flow.pcapng'), 4);
});

test('step by step asks before the next step, shows the one that ran, and ends on a summary', async ({
  page,
}) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Step by step' }).click();
  const next = page.locator('[data-next-step]').getByRole('button', { name: /^Step \d+: / });
  const title = page.locator('#step-title');
  const lit = (kind: string) => page.locator(`[data-panel=machine] [role=button][data-kind=${kind}]`).first();
  await expect(title).toContainText('Open the device');
  await next.click();
  await expect(page.locator('[data-next-step=memory]')).toContainText('Which side grants remote access?');
  await expect(lit('MR')).toHaveCount(0);
  await next.click();
  await expect(title).toContainText('Register memory');
  await expect(lit('MR')).toHaveAttribute('data-look', 'new');
  // Next shows the step that it runs, after any other step was selected.
  await page.locator('button[data-step=device]').click();
  await expect(title).toContainText('Open the device');
  await next.click();
  await expect(title).toContainText('Create the queues');
  await expectAccessible(page);
  await keepScreenshots(page, 'run-step');
  await page.getByRole('button', { name: 'RTR', exact: true }).first().focus();
  await expect(
    page.getByRole('tooltip').filter({ hasText: 'can receive, but not send' }).first(),
  ).toBeVisible();
  await expect(state(page)).not.toHaveAttribute('data-state', 'done');
  await page.getByRole('button', { name: 'Run the rest' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(title).toContainText('Tear down');
  await expect(page.getByRole('heading', { name: 'What you have seen' })).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'run-step-done');
  await page.getByRole('link', { name: 'Change the size to 1 B' }).click();
  await expect(page.getByLabel('Message size')).toHaveValue('1 B');
});

test('bulk shows RDMA beside TCP, survives a reload, and its packets are real', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/bulk`);
  await expectAccessible(page);
  await keepScreenshots(page, 'lab-bulk');
  const planned = page.locator('[data-planned]');
  await expect(planned).toContainText(/^Takes about 26\ss, .*: 7 rounds of 3 turns/);
  await page.getByLabel(/^Duration/).fill('1');
  await expect(planned).toContainText(/^Takes about 13\ss, .*: 7 rounds of 3 turns/);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'running');
  await keepScreenshots(page, 'run-bulk-live');
  const address = page.url();
  await page.reload();
  await expect(page).toHaveURL(address);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.locator('[data-shows=answer]')).toContainText(/TCP .* RDMA |RDMA .* TCP /s);
  await expect(page.locator('[data-panel=findings]')).toContainText(/NIC work .* CPU time of RDMA/s);
  await expectAllPanelsDrawn(page);
  await page.goto(`${agent.origin}/runs`);
  await page.goto(address);
  await expectAllPanelsDrawn(page);
  await expectColumnsOfCompletions(page);
  await expectOldestCompletion(page);
  await expectSamePercentiles(page);
  await expectCrosshair(page);
  await expectPanelsMove(page);
  await expectAccessible(page);
  await keepScreenshots(page, 'run-bulk-done');
  expectCleanCapture(await downloadCapture(page, 'bulk.pcapng'), 100);
});

/** The figures and the chart state the percentiles of the run's record, and its n. */
async function expectSamePercentiles(page: Page): Promise<void> {
  const id = runIdOf(page);
  const { result } = (await (await page.request.get(`${agent.origin}/api/runs/${id}`)).json()) as RunRecord;
  await page.locator('[data-panel=latency]').getByRole('button', { name: /table/i }).click();
  for (const [transport, name] of [
    ['rdma', 'RDMA/UDP'],
    ['shm', 'RDMA/shm'],
    ['tcp', 'TCP'],
  ] as const) {
    const { n, p50, p99, p999 } = result!.transports[transport]!.latencyUs!;
    const shown = [n!.toLocaleString('en-GB'), ...[p50, p99, p999].map(figure)];
    const inFigures = page.locator(`tr[data-transport=${transport}] td`);
    const inChart = page.locator('[data-panel=latency] tbody tr').filter({ hasText: name }).locator('th, td');
    expect((await inFigures.allInnerTexts()).slice(-5, -1)).toEqual(shown);
    const cells = await inChart.allInnerTexts();
    expect([cells[2], ...cells.slice(4, 7)]).toEqual([expect.stringMatching(/./), ...shown.slice(1)]);
    expect(cells[2]!.replace(/\D/g, '')).toBe(String(n));
  }
  await page.locator('[data-panel=latency]').getByRole('button', { name: /chart/i }).click();
}

/** Three significant digits, in the page's format. */
const figure = (us: number | null): string =>
  us === null
    ? 'not enough samples'
    : Number(us.toPrecision(3)) >= 1000
      ? Number(us.toPrecision(3)).toLocaleString('en-GB')
      : us.toPrecision(3);

test('a run is cancelled from the page, and continues while the tab is closed', async ({ page, context }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/bulk`);
  await page.getByLabel(/^Duration/).fill('60');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'running');
  const address = page.url();
  const second = await context.newPage();
  await keepFoldsOpen(second);
  await page.close();
  await second.goto(address);
  await expect(state(second)).toHaveAttribute('data-state', 'running');
  // A second run has to wait, and links to the first. If its place is out of sight, the link is at the top of the
  // window too.
  await second.goto(`${agent.origin}/labs/bulk`);
  await second.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(second.getByRole('button', { name: /^Cancel run \d+$/ }).first()).toBeVisible();
  await expectAccessible(second);
  await keepScreenshots(second, 'lab-bulk-busy');
  await second
    .getByRole('link', { name: /^Open run \d+$/ })
    .first()
    .click();
  await expect(state(second)).toHaveAttribute('data-state', 'running');
  // A frozen view does not change during the run, and catches up.
  const bar = second.getByRole('progressbar', { name: 'Progress of the run' });
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]/);
  await second.keyboard.press(' ');
  await expect(second.getByText('The view is frozen; the run continues.')).toBeVisible();
  const frozen = Number(await bar.getAttribute('aria-valuenow'));
  const percent = async (): Promise<number> => {
    const answer = await second.request.get(`${agent.origin}/api/runs/${runIdOf(second)}`);
    return 100 * (((await answer.json()) as RunRecord).progress?.fraction ?? 0);
  };
  await expect.poll(percent).toBeGreaterThan(frozen + 1);
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBe(frozen);
  await second.getByRole('button', { name: 'Follow the run' }).click();
  await expect(bar).not.toHaveAttribute('aria-valuenow', String(frozen));
  // The key asks first, because it may be pressed by mistake.
  await second.keyboard.press('Escape');
  await expect(second.getByRole('dialog')).toContainText('Cancel the run?');
  await expectAccessible(second);
  await second.keyboard.press('Escape');
  await expect(second.getByRole('dialog')).toBeHidden();
  await expect(state(second)).toHaveAttribute('data-state', 'running');
  await second.keyboard.press('Escape');
  await keepScreenshots(second, 'run-bulk-cancel');
  await second.getByRole('button', { name: 'Cancel the run' }).press('Enter');
  await expect(state(second)).toHaveAttribute('data-state', 'cancelled');
  await keepScreenshots(second, 'run-bulk-cancelled');
});

test('bad input shows an error at its field and starts nothing', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/bulk`);
  await page.getByLabel(/^Duration/).fill('-1');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await expectAccessible(page);
  await keepScreenshots(page, 'lab-bulk-wrong');
  await page.getByLabel(/^Duration/).fill('2');
  await page.getByLabel(/^Signal every/).fill('128');
  await expect(
    page.getByRole('alert').filter({ hasText: /^128 WRs is more than .* what “Depth” allows/ }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await page.getByLabel(/^Depth/).fill('128');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
});

test('the history lists the runs with their figures', async ({ page }) => {
  await openHome(page);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page).toHaveURL(/\/runs$/);
  for (const expected of ['cancelled', 'done']) {
    await expect(page.locator(`main [data-state="${expected}"]`).first()).toBeVisible();
  }
  await expect(page.getByRole('row').filter({ hasText: /bulk/i }).first()).toContainText(/\d/);
  await expectAccessible(page);
  await keepScreenshots(page, 'runs');
});

test('a killed agent leaves an interrupted run with what was recorded', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/bulk`);
  await page.getByLabel(/^Duration/).fill('60');
  // The page requests the panels' code after it shows the run. This time the request fails.
  const code = '**/_next/static/chunks/**';
  // A request that the page has given up meanwhile cannot be answered any more.
  await page.route(code, async (route) => {
    const late = page.url().includes('?run=') && (await state(page).count()) > 0;
    await (late ? route.abort() : route.continue()).catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'running');
  const notLoaded = page.getByText('This part of the page could not be loaded.');
  await expect(notLoaded.first()).toBeVisible();
  const id = runIdOf(page);
  await agent.kill();
  await expect(page.getByText(/reconnect|lost|does not answer|gone/i).first()).toBeVisible();
  await keepScreenshots(page, 'agent-gone');
  await page.unrouteAll({ behavior: 'wait' });
  await page.keyboard.press('?');
  await expect(state(page)).toBeVisible();
  await agent.startAgain();
  // Parts that failed to load come after the agent's return.
  await expect(page.getByRole('dialog', { name: 'Keys' }).getByRole('heading').first()).toBeVisible();
  await expect(
    page
      .locator('[data-panel=goodput]')
      .getByText(/Gb\/s|before its first sample/)
      .first(),
  ).toBeVisible();
  await expect(notLoaded).toHaveCount(0);
  await page.keyboard.press('Escape');
  // The page recovers by itself, and a fresh page shows the same.
  await expect(state(page)).toHaveAttribute('data-state', 'interrupted');
  await page.goto(`${agent.origin}/runs/view?id=${id}`);
  await expect(state(page)).toHaveAttribute('data-state', 'interrupted');
});

test('the command palette and the key sheet work without a mouse', async ({ page }) => {
  await openHome(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('packets');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/packets$/);
  await expectAccessible(page);
  await keepScreenshots(page, 'packets-empty');
  // The best match is selected, in any group.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveClass(/dark/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
});
