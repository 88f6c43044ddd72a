// The report of a run as its readers open it: a file, without an agent, in light, dark, narrow and on paper.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect } from '@playwright/test';
import { reportHtml } from '../../packages/report/src/html/report.js';
import { note, source } from '../../packages/report/test/source.js';
import { test } from '../lib/page-test.js';
import { expectAccessible, keepScreenshots } from '../lib/page.js';

const NOTE = `The peer was **slow**.

<img src="https://example.org/pixel.png" onerror="document.title='owned'"> ![plot](https://example.org/plot.png)

<script>document.title = 'owned'</script> [bad](javascript:alert(1))`;

test('a report is read without network, in light and dark, narrow and on paper', async ({ page }, info) => {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const path = info.outputPath('report.html');
  writeFileSync(path, reportHtml(source({ notes: [note(NOTE)] })));
  const file = pathToFileURL(path).href;
  await page.goto(file);

  await expect(page).toHaveTitle('Run 12: RDMA and TCP on bulk transfers');
  await expect(page.locator('script, img, iframe, link')).toHaveCount(0);
  await expect(page.getByText('<script>document.title')).toBeVisible();
  for (const chart of ['Goodput over run time', 'CPU over run time', 'Latency of RDMA/UDP'])
    await expect(page.getByRole('img', { name: chart })).toBeVisible();
  // The style sheet is applied: a policy that forbade it would leave lines without a color.
  const colorOf = (scheme: 'light' | 'dark'): Promise<string> =>
    page.emulateMedia({ colorScheme: scheme }).then(() =>
      page
        .locator('path[data-line=rdma]')
        .last()
        .evaluate((line) => getComputedStyle(line).stroke),
    );
  expect(await colorOf('light')).not.toBe(await colorOf('dark'));
  await page.locator('summary').first().click();
  await expect(page.getByRole('cell', { name: '0.80 to 2.00, one sample' }).first()).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'report');

  await page.setViewportSize({ width: 390, height: 844 });
  const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBe(390);
  // A4 without its margins, and paper is white in dark themes too.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 688, height: 900 });
  expect(await width()).toBe(688);
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  );
  expect(requests).toEqual([file]);
  expect(complaints).toEqual([]);
});
