// A lab is one screen: Run is in sight before a run, and the answer with its chart after it, in the same page.
import { expect, type Page } from '@playwright/test';
import { LABS } from '@verbslab/labs';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectTakesKeys, keepScreenshots, runIdOf, signIn, state } from '../lib/page.js';

const SCREEN = 900;

test.beforeEach(({ page }) => signIn(page, agent));

const runButton = (page: Page) => page.getByRole('button', { name: /^Run( all steps| the program)?$/ });
/** What the page asks for, in full color. */
const primaries = (page: Page) => page.locator('main :is(button, a).bg-accent');
/** Distance of the lower edge from the top of the page. */
const bottomOf = async (page: Page, selector: string): Promise<number> => {
  const box = (await page.locator(selector).first().boundingBox())!;
  return box.y + box.height + (await page.evaluate(() => scrollY));
};
/** Lines of the answer. */
const answerLines = (page: Page): Promise<number> =>
  page
    .locator('[data-answer]')
    .evaluate((one) =>
      Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)),
    );
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('Run is in sight on the page of every lab, and asks for a prediction', async ({ page }) => {
  const missed: string[] = [];
  for (const { description } of LABS) {
    await page.goto(`${agent.origin}/labs/${description.id}`);
    await expect(runButton(page)).toBeVisible();
    for (const [width, height] of [
      [1440, SCREEN],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { y, height: own } = (await runButton(page).boundingBox())!;
      if (y + own > height) missed.push(`${description.id} at ${width}: Run ends at ${Math.round(y + own)}`);
    }
    await page.setViewportSize({ width: 1440, height: SCREEN });
    // The clinic asks for a diagnosis, once the symptoms are there.
    const asks =
      description.id === 'clinic' ||
      (await page.getByRole('region', { name: 'Your prediction' }).count()) > 0;
    if (!asks) missed.push(`${description.id}: no prediction`);
    const primary = await primaries(page).allInnerTexts();
    if (primary.length !== 1) missed.push(`${description.id}: primary buttons ${primary.join(', ')}`);
    if ((await page.locator('details[data-fold][open]').count()) > 0)
      missed.push(`${description.id}: a fold is open`);
  }
  expect(missed).toEqual([]);
});

test('on a phone, the question, the picture, the prediction and Run come in this order', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${agent.origin}/labs/cq-overrun`);
  const inOrder = [
    page.getByRole('heading', { level: 1 }),
    page.locator('[data-lab-picture]'),
    page.getByRole('region', { name: 'Your prediction' }),
    runButton(page),
  ];
  // The page as exported shows its picture and its prediction one after the other, and moves what follows them.
  await expect(async () => {
    const places: number[] = [];
    for (const one of inOrder) places.push((await one.boundingBox())!.y);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
  }).toPass();
  expect(await sideways(page)).toBeLessThanOrEqual(0);
});

for (const lab of ['cq-overrun', 'write-imm', 'latency', 'bulk', 'srq', 'write-stages', 'retry-timers'])
  test(`${lab} answers in place, with its chart on the first screen`, async ({ page }) => {
    await page.goto(`${agent.origin}/labs/${lab}`);
    const picture = page.locator('[data-lab-picture]');
    const before = (await picture.boundingBox())!;
    const quick = page.getByRole('button', { name: 'Quick run', exact: true });
    if ((await quick.count()) > 0) await quick.click();
    await expectTakesKeys(page);
    await page.keyboard.press('r');
    await expect(page).toHaveURL(new RegExp(`/labs/${lab}\\?run=[0-9a-z]{10}$`));
    await expect(state(page)).toHaveAttribute('data-state', 'done');
    await expect(page.locator('[data-answer]')).toBeVisible();
    // The picture of the run is at the place of the sample, or the chart if the run recorded nothing to draw.
    const drawn = picture.locator('[data-shows=picture-title]');
    const none = picture.getByText(/^No picture: /);
    await expect(drawn.or(none)).toBeVisible();
    await expect(primaries(page)).toHaveCount(1);
    const shown = (await none.count()) > 0 ? page.locator('[data-headline]') : picture;
    const after = (await shown.boundingBox())!;
    // The packets of a request that fails are what its lab is about.
    if (lab === 'retry-timers')
      await expect(picture.getByRole('button', { name: /Sent again/ }).first()).toBeVisible();
    expect(Math.abs(after.x - before.x)).toBeLessThanOrEqual(1);
    expect(after.width).toBeGreaterThan(before.width - 2);
    expect(Math.abs(after.y - before.y)).toBeLessThanOrEqual(32);
    expect(await bottomOf(page, '[data-answer]')).toBeLessThan(SCREEN);
    expect(await answerLines(page)).toBeLessThanOrEqual(2);
    expect(await bottomOf(page, '[data-headline]')).toBeLessThan(SCREEN);
    await expect(page.locator('details#happened')).toHaveAttribute('open');
    await expect(page.locator('details#panels')).not.toHaveAttribute('open');
    await expect(page.locator('[data-panel]')).toHaveCount(0);
    await expectAccessible(page);
    await keepScreenshots(page, `lab-screen-${lab}`);

    // The page of the run is the same view.
    const answer = await page.locator('[data-answer]').innerText();
    await page.goto(`${agent.origin}/runs/view?id=${runIdOf(page)}`);
    await expect(page.locator('[data-answer]')).toHaveText(answer);
    await expect(page.locator('details#happened')).toHaveAttribute('open');
    expect(await bottomOf(page, '[data-headline]')).toBeLessThan(SCREEN);
    await page.setViewportSize({ width: 390, height: 844 });
    // Charts and pictures take their new width in the frames that follow.
    await expect.poll(() => sideways(page)).toBeLessThanOrEqual(0);
  });

test('a link into a fold opens it, and so does the address', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/cq-overrun#traps`);
  await expect(page.locator('details#traps')).toHaveAttribute('open');
  await page.getByRole('button', { name: 'More parameters' }).click();
  await expect(page.getByRole('textbox', { name: 'Requests beyond its size' })).toBeInViewport();
  await expectTakesKeys(page);
  await page.keyboard.press('r');
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const verbs = page.locator('[data-panel=verbs]');
  await expect(verbs).toHaveCount(0);
  await page.getByRole('link', { name: 'the verbs panel' }).click();
  await expect(verbs).toBeInViewport();
  const id = runIdOf(page);
  await page.goto(`${agent.origin}/runs/view?id=${id}#panel-verbs`);
  await expect(verbs).toBeInViewport();
  await page.goto(`${agent.origin}/runs/view?id=${id}&t=1000`);
  await expect(page.locator('[data-timeline]')).toBeVisible();
});

test('Tab reaches Run in a few steps, past the terms of the text', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/cq-overrun`);
  await page.getByRole('heading', { level: 1 }).click();
  let steps = 0;
  while (!(await runButton(page).evaluate((one) => one === document.activeElement)) && steps < 40) {
    await page.keyboard.press('Tab');
    steps++;
  }
  expect(steps).toBeLessThanOrEqual(20);
});
