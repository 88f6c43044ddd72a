// What a page costs: the scripts that it runs. Those of other pages, which Next fetches ahead, are not among them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';

const out = join(import.meta.dirname, '../../apps/web/out');

/** Bytes, gzip, of every script that the open page has run since it was loaded. */
export async function scriptBytes(page: Page): Promise<number> {
  const names = await page.evaluate(() =>
    [...document.scripts].flatMap(({ src }) => (src ? new URL(src).pathname : [])),
  );
  return [...new Set(names)].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(out, name)), { level: 9 }).length,
    0,
  );
}
