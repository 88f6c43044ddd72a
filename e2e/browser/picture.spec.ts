// The picture and its player: by keys, with less motion, out of sight, and its text in the fonts of the page.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, signIn } from '../lib/page.js';

const picture = (page: Page) => page.locator('svg[data-shows=picture]');
const player = (page: Page) => page.getByRole('application');
/** `3 of 6`, the stage that the picture says that it shows. */
const stageOf = async (page: Page): Promise<string> =>
  /stage (\d+ of \d+)/.exec((await picture(page).getAttribute('aria-label'))!)![1]!;
/** True if the picture changes within half a second of frames. */
const moves = (page: Page): Promise<boolean> =>
  picture(page).evaluate(
    (svg) =>
      new Promise<boolean>((resolve) => {
        const before = svg.outerHTML;
        let left = 30;
        const frame = () => {
          if (svg.outerHTML !== before) resolve(true);
          else if (--left === 0) resolve(false);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
  );

test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await page.goto(agent.origin);
  await expect(picture(page)).toBeVisible();
});

test('keys play, step, go to the ends and show the same as a table', async ({ page }) => {
  await player(page).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => stageOf(page)).toBe('1 of 6');
  await expect(page.getByRole('status').filter({ hasText: 'stage 1 of 6' })).toBeAttached();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => stageOf(page)).toBe('2 of 6');
  await page.keyboard.press('End');
  await expect.poll(() => stageOf(page)).toBe('6 of 6');
  await page.keyboard.press('t');
  const table = page.locator('[data-shows=picture-table] tbody tr');
  await expect(table).toHaveCount(6);
  await expect(table.last()).toContainText('client program');
  await expectAccessible(page);
  await page.keyboard.press('Home');
  await expect.poll(() => moves(page)).toBe(false);
  await page.keyboard.press(' ');
  await expect.poll(() => moves(page)).toBe(true);
  await page.keyboard.press(' ');
  await expect.poll(() => moves(page)).toBe(false);
});

test('nothing plays by itself for readers who want less motion, and a step is a jump', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await expect(picture(page)).toBeVisible();
  await expect.poll(() => moves(page)).toBe(false);
  await player(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => stageOf(page)).toBe('2 of 6');
  expect(await moves(page)).toBe(false);
});

test('it stands still while it is out of sight', async ({ page }) => {
  await expect.poll(() => moves(page)).toBe(true);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(picture(page)).not.toBeInViewport();
  await expect.poll(() => moves(page)).toBe(false);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => moves(page)).toBe(true);
});

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const)
  test(`its text is readable at ${width} pixels: 12 px or more, inside of it, and none over another`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await player(page).focus();
    for (const _ of Array.from({ length: 6 })) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => moves(page)).toBe(false);
      expect(await picture(page).evaluate(troubles)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

/** Texts that are too small, outside of the drawing, or over another one. What moves may pass over words. Runs in the page. */
function troubles(svg: Element): string[] {
  const all = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')]
    .filter((text) => text.textContent.trim() !== '' && !text.closest('[data-packet], [data-item]'))
    .map((text) => ({
      text: text.textContent,
      size: getComputedStyle(text).fontSize,
      box: text.getBoundingClientRect(),
    }));
  return texts.flatMap(({ text, size, box }, i) => [
    ...(parseFloat(size) < 12 ? [`${text}: ${size}`] : []),
    ...(box.left < all.left - 1 || box.right > all.right + 1 ? [`${text}: outside`] : []),
    ...texts
      .slice(i + 1)
      .filter(
        ({ box: other }) =>
          box.left < other.right - 1 &&
          other.left < box.right - 1 &&
          box.top + 3 < other.bottom - 3 &&
          other.top + 3 < box.bottom - 3,
      )
      .map((other) => `${text} over ${other.text}`),
  ]);
}
