// The timeline of a run: one axis and one selection for all tracks and the address.
import { expect, type Page } from '@playwright/test';
import type { RunRecord } from '@verbslab/protocol';
import { agent, test } from '../lib/agent-test.js';
import { writeCaptured } from '../lib/captured-run.js';
import {
  expectAccessible,
  expectRun,
  keepFoldsOpen,
  keepScreenshots,
  runIdOf,
  signIn,
  state,
} from '../lib/page.js';

/** A run of more packets than its page follows: 60,000. */
let large: RunRecord;

// Only one process may have the file of runs open, so the agent is stopped.
test.beforeAll(async ({ agent: own }) => {
  await own.stop();
  large = writeCaptured(own.home, 30_000);
  await own.startAgain();
});

/** Scrolls to the timeline, which loads when it is in view. */
const scrollToTimeline = (page: Page) => page.locator('#timeline').scrollIntoViewIfNeeded();
const timeline = (page: Page) => page.locator('[data-timeline]');
const track = (page: Page, kind: string) => page.locator(`[data-track-kind=${kind}]`);
const range = (page: Page) => {
  const query = new URL(page.url()).searchParams;
  return [Number(query.get('from')), Number(query.get('to'))] as const;
};

/** Runs a lab whole and waits for its end. */
async function run(page: Page, lab: string, button: string): Promise<string> {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/${lab}`);
  await page.getByRole('button', { name: button }).click();
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await scrollToTimeline(page);
  await expect(timeline(page)).toBeVisible();
  return runIdOf(page);
}

test('one work request and everything that belongs to it', async ({ page }) => {
  const id = await run(page, 'minimal-flow', 'Run all steps');
  await expect(track(page, 'ladder')).toHaveCount(1);
  await expect(track(page, 'psn')).not.toHaveCount(0);

  // The keys go through the items of a track: the first of the work requests is the WRITE.
  const requests = page.locator('[data-track^="wr client"]');
  await expect(requests).toHaveCount(1);
  await timeline(page).focus();
  await page.keyboard.press('ArrowDown');
  while ((await requests.getAttribute('data-current')) === null) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/[?&]wr=\d+/);
  const selection = page.locator('[data-selection=wr]');
  await expect(selection).toContainText('RDMA_WRITE');

  // 10,000 B at a path MTU of 4,096 B are three packets, and one ACK completes them.
  const packets = selection.locator('[data-packet]');
  await expect(packets).toHaveText([/WRITE First/, /WRITE Middle/, /WRITE Last/, /ACK \d+ \(completes it\)/]);
  await expect(selection.locator('[data-stage=posted] dd').first()).toHaveText('0');
  await expect(selection.locator('[data-stage=acked] dd').first()).toHaveText(/^\+[\d.]+/);

  // A packet of it is selected in its place, and leads back to the request.
  await packets.nth(1).click();
  await expect(page).toHaveURL(/[?&]packet=\d+/);
  await expect(page).not.toHaveURL(/[?&]wr=/);
  const packet = page.locator('[data-selection=packet]');
  await expect(packet).toContainText('WRITE Middle');
  await packet.getByRole('button', { name: /^RDMA_WRITE/ }).click();
  await expect(page).toHaveURL(/[?&]wr=\d+/);

  // The address opens the same view again.
  await timeline(page).focus();
  await page.keyboard.press('f');
  await expect(page).toHaveURL(/[?&]from=\d+&to=\d+|[?&]to=\d+/);
  const [from, to] = range(page);
  expect(to - from).toBeLessThan(1e9);
  const address = page.url();
  await page.goto(`${agent.origin}/runs/view?id=${id}`);
  await expect(page.locator('#timeline')).toBeVisible();
  await page.goto(address);
  await expect(page.locator('[data-selection=wr]')).toContainText('RDMA_WRITE');
  await expect.poll(() => range(page)).toEqual([from, to]);
  await expectAccessible(page);
  await keepScreenshots(page, 'timeline-request');

  await timeline(page).focus();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-selection]')).toHaveCount(0);
});

test('a stretch is marked, zoomed to and added up', async ({ page }) => {
  await run(page, 'minimal-flow', 'Run all steps');
  const surface = track(page, 'ladder').locator('[data-time-surface]');
  await surface.scrollIntoViewIfNeeded();
  const box = (await surface.boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 24, { steps: 4 });
  await page.mouse.up();
  // Three packets of the WRITE, one READ request and three responses, of one capture at the client; and the ACK.
  const table = page.locator('[data-area-table]');
  await expect(table).toContainText('The marked stretch');
  const row = (track: string, what: string) =>
    table.getByRole('row').filter({ hasText: track }).filter({ hasText: what });
  await expect(row('Packets', 'requests and READ responses').getByRole('cell').nth(2)).toHaveText('7');
  await expect(row('Packets', 'ACKs').getByRole('cell').nth(2)).toHaveText('1');
  await expect(row('Work requests', 'under way in it').getByRole('cell').nth(2)).toHaveText('2');

  await page.keyboard.press('Escape');
  await expect(table).toHaveCount(0);
  await timeline(page).focus();
  await page.keyboard.press('t');
  await expect(table).toContainText('The stretch in view');

  // The wheel zooms once the timeline has the focus, and W and S do without a mouse.
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.wheel(0, -300);
  await expect(page).toHaveURL(/[?&]from=\d+/);
  const [from, to] = range(page);
  await page.keyboard.press('w');
  await expect.poll(() => range(page)[1] - range(page)[0]).toBeLessThan((to - from) * 0.8);
  await page.keyboard.press('Home');
  await expect(page).not.toHaveURL(/[?&]from=/);
});

test('a measuring run has goodput, CPU, latency and counters on the same axis', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/bulk?duration=1&repeat=1`);
  await page.getByRole('button', { name: /^Run/ }).first().click();
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await scrollToTimeline(page);
  await expect(page.locator('[data-track=goodput]')).toBeVisible();
  await expect(page.locator('[data-track=cpu]')).toBeVisible();
  await expect(track(page, 'heat')).not.toHaveCount(0);
  const counters = page.locator('[data-group="client counters"]');
  await expect(counters).toHaveAttribute('aria-expanded', 'false');
  await counters.click();
  const sent = page.locator('[data-track="counter client sent_pkts"]');
  await expect(sent).toBeVisible();

  await sent.getByRole('button', { name: 'Pin to the top: sent_pkts' }).click();
  await expect(sent).toHaveCount(2);
  await expectAccessible(page);
  await keepScreenshots(page, 'timeline-bulk');
});

test('the phases of a run: a track of the timeline, a column of the packets', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/clinic-tour`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  // The run waits for timers of the devices.
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await scrollToTimeline(page);
  const phases = page.locator('[data-track=phases]');
  await expect(phases).toHaveCount(1);
  await expect(phases).toContainText('Phases');

  const packets = page.locator('[data-panel=packets]');
  await packets.scrollIntoViewIfNeeded();
  await expect(packets.getByRole('columnheader', { name: 'Phase' })).toBeVisible();
  const row = packets.locator('[role=row][aria-rowindex="2"]');
  const phase = (await row.getByRole('gridcell').last().textContent())!;
  expect(phase).not.toBe('');
  await row.click();
  await expect(packets.locator('[data-shows=packet-phase]')).toHaveText(`Phase: ${phase}`);
  await keepScreenshots(page, 'phases');
});

test('a run of more packets than its page draws leads to a timeline of all of them', async ({ page }) => {
  /** No., Time, Opcode and Info of the first packets, in a list of all of them. */
  const listed = async (): Promise<string[]> => {
    const grid = page.getByRole('grid', { name: /^Packets/ });
    await expect(grid).toHaveAttribute('aria-rowcount', '60001');
    const rows = grid.getByRole('row').filter({ has: page.getByRole('gridcell') });
    return rows.evaluateAll((all) =>
      all
        .slice(0, 4)
        .map((row) =>
          [0, 1, 5, 8].map((i) => row.querySelectorAll('[role=gridcell]')[i]!.textContent).join(' '),
        ),
    );
  };
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/runs/view?id=${large.id}`);
  await page.locator('[data-panel=packets]').scrollIntoViewIfNeeded();
  // Each of two processes reported many packets at a time. The list is in the order of time.
  const first = await listed();
  const [write, ack] = ['WRITE Only', 'ACK'];
  expect(first.map((row) => row.replace(/ (va|MSN)=.*/, ''))).toEqual([
    `1 0.000000 ${write}`,
    `2 0.000000 ${ack}`,
    `3 0.000001 ${write}`,
    `4 0.000002 ${ack}`,
  ]);

  await scrollToTimeline(page);
  await expect(page.getByText('This run captured more packets than its page draws.')).toBeVisible();
  await expect(track(page, 'ladder')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show all of them on a timeline' }).click();
  await expect(page).toHaveURL(/view=timeline/);
  await expect(track(page, 'ladder')).toHaveCount(1);

  // The capture file has the same numbers.
  await page
    .getByRole('group', { name: 'View of the packets' })
    .getByRole('button', { name: 'List' })
    .click();
  expect(await listed()).toEqual(first);
});
