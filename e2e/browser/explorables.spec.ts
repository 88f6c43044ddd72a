// Explorables: figures with the control inside, which show a recorded sample until the reader has a run.
import { expect, type Locator, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, keepScreenshots, signIn } from '../lib/page.js';

/** Drags a handle so far, in pixels. */
async function drag(page: Page, handle: Locator, x: number, y: number): Promise<void> {
  const box = (await handle.boundingBox())!;
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + x / 2, from.y + y / 2, { steps: 4 });
  await page.mouse.move(from.x + x, from.y + y, { steps: 4 });
  await page.mouse.up();
}

const noSidewaysScroll = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('the ring of a completion queue: the poll pointer by mouse and by key, a sample, then the own run', async ({
  page,
}) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/explanations`);
  await page.getByRole('link', { name: /When does a completion find no slot/ }).click();
  await expect(page.getByText('Recorded sample', { exact: true })).toBeVisible();
  const figure = page.getByRole('region', { name: 'Completion queue' });
  const polls = figure.getByRole('slider', { name: 'Poll pointer' });
  const ends = figure.getByRole('slider', { name: 'Requests that ended' });
  const says = figure.getByRole('status');
  await expect(says).toHaveText(/^The queue is full/);
  await expect(figure.locator('[data-slot=cqe]')).toHaveCount(16);

  // A poll frees a slot, so request 17 still finds one, and request 18 does not.
  await polls.press('ArrowRight');
  await expect(polls).toHaveAttribute('aria-valuenow', '1');
  await expect(figure.locator('[data-slot=free]')).toHaveCount(1);
  await polls.press('ArrowLeft');
  await expect(polls).toHaveAttribute('aria-valuenow', '1');
  await ends.press('ArrowRight');
  await expect(says).toHaveText(/^The queue is full/);
  await ends.press('ArrowRight');
  await expect(says).toHaveText(/^The CQE of request 18 found no slot and is lost/);

  // The mouse polls: a quarter of the ring are four slots.
  await figure.getByRole('button', { name: '16 requests' }).click();
  await expect(polls).toHaveAttribute('aria-valuenow', '0');
  const ring = (await figure.getByRole('img').boundingBox())!;
  const handle = (await polls.boundingBox())!;
  await drag(
    page,
    polls,
    ring.x + ring.width / 2 + 60 - (handle.x + handle.width / 2),
    ring.y + ring.height / 2 + 20 - (handle.y + handle.height / 2),
  );
  await expect.poll(async () => Number(await polls.getAttribute('aria-valuenow'))).toBeGreaterThan(2);
  await expect(figure.locator('[data-slot=free]').first()).toBeVisible();

  // Beside the computed outcome of an overrun stands the recorded one.
  await figure.getByRole('button', { name: '17 requests' }).click();
  const row = (what: string) => figure.getByRole('row', { name: new RegExp(`^${what}`) });
  await expect(row('Asynchronous events').getByRole('cell')).toHaveText([
    'CQ_ERR, QP_FATAL',
    'CQ_ERR, QP_FATAL',
  ]);
  await expect(row('Client’s QP').getByRole('cell')).toHaveText(['ERR', 'ERR']);
  await expect(figure.getByText('Recorded (recorded sample)')).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'explorable-cq-ring');

  await page.getByRole('button', { name: 'Run it now' }).click();
  await expect(page.getByRole('combobox', { name: 'Figures of' })).toContainText(/^Your run \d/);
  await expect(figure.getByText(/^Recorded \(your run \d+\)$/)).toBeVisible();
  await expect(page.getByText('Recorded sample, made')).toHaveCount(0);
  // The sample can be chosen again.
  await page.getByRole('combobox', { name: 'Figures of' }).selectOption('sample');
  await expect(page).toHaveURL(/run=sample/);
  await expect(figure.getByText('Recorded (recorded sample)')).toBeVisible();
});

test('bounds of a region: one byte decides, and the same request is really sent', async ({ page }) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/explanations/bounds`);
  const figure = page.getByRole('region', { name: 'Bounds of a region' });
  const end = figure.getByRole('slider', { name: 'End', exact: true });
  const says = figure.getByRole('status');
  const row = (what: string) => figure.getByRole('row', { name: new RegExp(`^${what}`) });
  await expect(says).toHaveText(/^Refused: it ends 1 B behind the region/);
  await expect(row('NAK').getByRole('cell')).toHaveText(['0x62', '0x62']);
  await expect(figure.locator('[data-over="1"]')).toBeVisible();
  await end.press('ArrowLeft');
  await expect(says).toHaveText(/^Executed: it ends exactly at the end/);
  await expect(page).toHaveURL(/length=1024/);
  await expect(row('Client’s completion').getByRole('cell')).toHaveText(['SUCCESS', 'SUCCESS']);
  await drag(page, end, 60, 0);
  await expect(says).toHaveText(/^Refused: it ends \d+ B behind/);

  // The right of the QP is checked before any memory.
  await figure.getByRole('button', { name: '1 byte beyond' }).click();
  await figure.getByLabel('The QP has REMOTE_READ').uncheck();
  await expect(figure.locator('[data-check=qp]')).toHaveAttribute('data-passed', 'false');
  await expect(row('NAK').getByRole('cell')).toHaveText(['0x61', '0x61']);
  await expect(figure.getByText('It cannot be sent from here.')).toBeVisible();
  await figure.getByLabel('The QP has REMOTE_READ').check();
  await expectAccessible(page);
  await keepScreenshots(page, 'explorable-bounds');

  await figure.getByRole('button', { name: 'Send this request' }).click();
  await expect(page.getByRole('combobox', { name: 'Figures of' })).toContainText(/^Your run \d/);
  await expect(figure.getByText(/^Recorded \(your run \d+\)$/)).toBeVisible();
  await expect(says).toHaveText(/^Refused: it ends 1 B behind the region/);
  await expect(row('NAK').getByRole('cell')).toHaveText(['0x62', '0x62']);
});

/** Clicks in the middle of a path: that of its box need not lie on it. */
async function clickOn(page: Page, path: Locator): Promise<void> {
  await path.scrollIntoViewIfNeeded();
  const { x, y } = await path.evaluate((element: SVGPathElement) => {
    const middle = element.getPointAtLength(element.getTotalLength() / 2);
    const { x, y } = middle.matrixTransform(element.getScreenCTM()!);
    return { x, y };
  });
  await page.mouse.click(x, y);
}

test('the graph of the states: arrows move, a recorded QP walks, and a phone has its own layout', async ({
  page,
}) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/explanations/states`);
  const graph = page.getByRole('group', { name: 'States and transitions of a QP' });
  const state = (name: string) => graph.getByRole('button', { name, exact: true });
  await state('RTR').click();
  await expect(page.getByText('Arriving packets')).toBeVisible();
  await state('RTR').press('ArrowRight');
  await expect(state('RTS')).toHaveAttribute('aria-pressed', 'true');
  await expect(state('RTS')).toBeFocused();
  await state('RTS').press('ArrowUp');
  await expect(page).toHaveURL(/at=SQE/);
  await clickOn(page, graph.locator('[data-edge=auto-ERR] path').first());
  await expect(page.getByRole('heading', { name: 'An error → ERR' })).toBeVisible();

  const walk = page.getByRole('slider', { name: 'The QP of the run' });
  await walk.press('Home');
  await expect(state('RESET')).toHaveAttribute('aria-current', 'step');
  await walk.press('ArrowRight');
  await expect(state('INIT')).toHaveAttribute('aria-current', 'step');
  await expect(page.getByRole('heading', { name: 'RESET → INIT' })).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'explorable-states');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(graph).toHaveCount(1);
  await expect(state('INIT')).toHaveAttribute('aria-current', 'step');
  expect(await noSidewaysScroll(page)).toBe(true);
  for (const id of ['cq-ring', 'bounds']) {
    await page.goto(`${agent.origin}/explanations/${id}`);
    await expect(page.getByRole('slider').first()).toBeVisible();
    expect([id, await noSidewaysScroll(page)]).toEqual([id, true]);
  }
});
