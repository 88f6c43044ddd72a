// What every browser test does with a page: pictures of it, and axe's opinion.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Browser, type Cookie, type Page } from '@playwright/test';
import type { RunningAgent } from './agent.js';

export const shots = join(import.meta.dirname, '../../artifacts/screenshots');
mkdirSync(shots, { recursive: true });

type Look = readonly ['light' | 'dark', number];

const FEW: readonly Look[] = [
  ['light', 1440],
  ['dark', 390],
];
const ALL = (['light', 'dark'] as const).flatMap((theme) =>
  [1440, 1024, 390].map((width): Look => [theme, width]),
);
const { VERBSLAB_SCREENSHOTS: asked } = process.env;
const LOOKS = asked === 'all' ? ALL : asked ? FEW : [];

/**
 * With VERBSLAB_SCREENSHOTS=few: the page light and wide, dark and narrow, kept with the run's artefacts; with =all in
 * both themes at 1440, 1024 and 390 pixels. Otherwise nothing: a picture of a long page takes most of a second.
 */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  if (LOOKS.length === 0) return;
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Exports the run that the page shows, by the Export menu; the file is kept with the run's artefacts. */
export async function exportFrom(page: Page, format: RegExp, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const item = page.getByRole('menuitem', { name: format });
  const [file] = await Promise.all([page.waitForEvent('download'), item.click()]);
  const path = join(shots, '..', name);
  await file.saveAs(path);
  return path;
}

export const downloadCapture = (page: Page, name: string): Promise<string> =>
  exportFrom(page, /^Capture \(pcapng\)/, name);

/** The cookies of a browser that an agent let in: links sign in one browser each, and tests may share this one’s. */
export async function signedIn(browser: Browser, agent: RunningAgent): Promise<Cookie[]> {
  const page = await browser.newPage();
  await page.goto(await agent.link());
  await expect(page).toHaveURL(`${agent.origin}/`);
  const cookies = await page.context().cookies();
  await page.close();
  return cookies;
}

/** What says the state of the run that the page shows. */
export const state = (page: Page) => page.locator('main [data-state]').first();

/** The bytes of a packet from the fifth line on: like the first four, and 15 s of work for axe when there are 256 lines. */
const MORE_BYTES = '[data-hex] > :nth-child(n + 5)';

/** What can differ between the themes: colors. The rest is the same tree, and axe takes seconds for a long page. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // What holds is not listed: a long page has thousands of such places, each with a selector. Our pages have no frames, so
    // axe may run in the page alone, without a blank page to gather what each frame has found.
    const axe = new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
      .exclude(MORE_BYTES);
    const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(COLOR_RULES)).analyze();
    expect(
      violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
