// A lab step by step: the picture beside its text, a question before each step, and time axes without pauses.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectRun, keepScreenshots, signIn, state } from '../lib/page.js';

test.beforeEach(({ page }) => signIn(page, agent));

const STEPS = [
  ['device', 'GID, which holds an IP address', 'right'],
  ['memory', 'Both sides', 'wrong'],
  ['queues', null, 'none'],
  ['exchange', 'outside of RDMA', 'right'],
  ['init', null, 'none'],
  ['rtr', 'Three, like', 'wrong'],
  ['rts', null, 'none'],
  ['write', 'In several', 'right'],
  ['look', 'One completion', 'wrong'],
  ['read', 'no separate ACK', 'right'],
  ['verify', null, 'none'],
  ['teardown', 'It will not', 'right'],
] as const;

/** Chooses an answer with the keys: Tab goes to the question, arrows to the answer. */
async function answer(page: Page, text: string): Promise<void> {
  const radios = page.locator('[data-question] input');
  const labels = await page.locator('[data-question] label').allInnerTexts();
  const at = labels.findIndex((one) => one.includes(text));
  expect(at).toBeGreaterThanOrEqual(0);
  await radios.first().focus();
  if (at === 0) await page.keyboard.press('Space');
  for (let i = 0; i < at; i++) await page.keyboard.press('ArrowDown');
  await expect(radios.nth(at)).toBeChecked();
}

/** The lab's row of steps, the whole picture and the button of the next step are in the window, without scrolling by the reader. */
async function expectOneScreen(page: Page, id: string): Promise<void> {
  const { height } = page.viewportSize()!;
  const top = (await page.getByRole('banner').boundingBox())!.height;
  await expect(page.locator(`[data-step-picture=${id}]`)).toBeVisible();
  const parts = [
    page.getByRole('navigation', { name: 'Steps' }),
    page.locator('[data-step-picture] svg').first(),
    page.locator('[data-next-step] button').first(),
  ];
  await expect
    .poll(async () => {
      const places: string[] = [];
      for (const part of parts) {
        // The last step has none after it.
        if ((await part.count()) === 0) continue;
        const box = (await part.boundingBox())!;
        if (box.y < top || box.y + box.height > height) places.push(`${box.y} to ${box.y + box.height}`);
      }
      return places;
    })
    .toEqual([]);
}

test('one WRITE is gone through by keyboard alone, with a question before each step', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await expect(page.getByRole('button', { name: 'Step by step' })).toBeEnabled();
  await page.keyboard.press('n');
  await expectRun(page);
  const title = page.locator('#step-title');
  for (const [i, [id, guess, verdict]] of STEPS.entries()) {
    const next = page.locator(`[data-next-step=${id}]`);
    const button = next.getByRole('button', { name: new RegExp(`^Step ${i + 1}: `) });
    await expect(button).toBeEnabled();
    const named = (await button.innerText()).replace(/^Step \d+: /, '');
    if (guess !== null) await answer(page, guess);
    await page.keyboard.press('n');
    // Picture, text and the button of the next step are in one screen.
    await expectOneScreen(page, id);
    // Picture, text and verdict are all of this step.
    await expect(page.locator(`button[data-step=${id}]`)).toHaveAttribute('data-state', 'done');
    await expect(title).toHaveText(named);
    await expect(page.locator(`[data-step-picture=${id}]`)).toBeVisible();
    await expect(page.locator('[data-verdict]')).toHaveAttribute('data-verdict', verdict);
    await expect(page.locator('[data-shows=step-counted]')).toHaveAttribute('data-step-counted', id);
    if (id === 'write') {
      await expect(page.locator('[data-step-picture]')).toHaveAttribute('data-of', 'request');
      await expect(page.locator('[data-shows=step-counted]')).toHaveText('3 packets (WRITE) by the client');
      await expect(page.locator('[data-fact=packets]').first()).toHaveText(
        'WRITE First +0, WRITE Middle +1, WRITE Last +2, ACK +2',
      );
      // The call that the picture shows is lit.
      await page.getByRole('application', { name: 'Player of the picture' }).focus();
      await page.keyboard.press('Home');
      await expect(page.locator('[data-call-line]')).toHaveAttribute('data-call-line', 'ibv_post_send');
      await page.keyboard.press('End');
      await expect(page.locator('[data-call-line]')).toHaveAttribute('data-call-line', 'ibv_poll_cq');
      await expectAccessible(page);
      await keepScreenshots(page, 'step-write');
    }
    if (id === 'rtr') {
      await expect(page.locator('[data-step-picture]')).toHaveAttribute('data-of', 'calls');
      await expectAccessible(page);
      await keepScreenshots(page, 'step-rtr');
    }
  }
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.getByRole('heading', { name: 'What you have seen' })).toBeVisible();
  // A step that is looked at again keeps its prediction, also after the page was loaded again.
  await page.locator('button[data-step=look]').press('Enter');
  await expect(page.locator('[data-verdict=wrong]')).toContainText('It was: Nothing.');
  await page.reload();
  await expect(page.locator('[data-verdict=wrong]')).toContainText('It was: Nothing.');
});

test('at 1024 pixels the columns are beside each other, on a phone the text comes first', async ({
  page,
}) => {
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await page.locator('button[data-step=write]').click();
  const text = page.locator('#step-title');
  const picture = page.locator('[data-step-picture=write] svg').first();
  const boxes = async () => [(await text.boundingBox())!, (await picture.boundingBox())!] as const;
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(async () => {
        const [words, drawing] = await boxes();
        return drawing.x + drawing.width < words.x && words.y < drawing.y + drawing.height;
      })
      .toBe(true);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(async () => {
      const [words, drawing] = await boxes();
      return words.y + words.height <= drawing.y;
    })
    .toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

test('the timeline of a stepped run leaves out the time to think', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Step by step' }).click();
  await expectRun(page);
  for (const [id] of STEPS.slice(0, 3)) {
    await expect(
      page.locator(`[data-next-step=${id}]`).getByRole('button', { name: /^Step \d/ }),
    ).toBeEnabled();
    await page.keyboard.press('n');
    await expect(page.locator(`button[data-step=${id}]`)).toHaveAttribute('data-state', 'done');
  }
  await page.keyboard.press('a');
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const fold = page.locator('details#timeline');
  await fold.locator('summary').press('Enter');
  const frame = page.locator('[data-timeline]');
  await expect(frame.locator('[data-cuts]')).toContainText('Times are as recorded');
  expect(Number(await frame.locator('[data-cuts]').getAttribute('data-cuts'))).toBeGreaterThan(2);
  // Tenths of the axis take different times: on an axis without cuts they would all be alike. The times are the recorded
  // ones.
  const end = page.getByRole('slider', { name: 'End of the visible range' });
  const tenths: number[] = [];
  const now = async (): Promise<number> =>
    Number((await end.getAttribute('aria-valuetext'))!.replace(' s', ''));
  await expect(end).toHaveAttribute('aria-valuenow', '1000');
  let last = await now();
  await end.focus();
  for (let i = 1; i <= 8; i++) {
    await page.keyboard.press('PageDown');
    await expect
      .poll(async () => Math.round(Number(await end.getAttribute('aria-valuenow')) / 10))
      .toBe(100 - 10 * i);
    const at = await now();
    tenths.push(last - at);
    last = at;
  }
  expect(Math.min(...tenths)).toBeGreaterThan(0);
  expect(Math.max(...tenths) / Math.min(...tenths)).toBeGreaterThan(5);
  await expectAccessible(page);
});
