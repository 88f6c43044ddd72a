// What every browser test does with a page: pictures of it, and axe's opinion.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const shots = join(import.meta.dirname, '../../artifacts/screenshots');
mkdirSync(shots, { recursive: true });

/** The page in both themes and at three widths, kept with the run's artefacts. */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Takes the capture file of the run that the page shows; kept with the run's artefacts. */
export async function downloadCapture(page: Page, name: string): Promise<string> {
  const link = page.getByRole('link', { name: /capture|pcapng/i }).first();
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const path = join(shots, '..', name);
  await file.saveAs(path);
  return path;
}

/** What says the state of the run that the page shows. */
export const state = (page: Page) => page.locator('main [data-state]').first();

export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
