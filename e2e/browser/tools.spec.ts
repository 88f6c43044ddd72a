// Programs of the distribution from the page: a form, refused values, both ends as one run, its output.
import { expect } from '@playwright/test';
import { TOOLS } from '@verbslab/labs/tools';
import { newHome, removeHome, startAgent, type RunningAgent } from '../lib/agent.js';
import { test } from '../lib/page-test.js';
import { expectAccessible, keepScreenshots, signIn, state } from '../lib/page.js';
import { installed } from '../stock/run.js';

const home = newHome();
let agent: RunningAgent;

test.beforeAll(async () => {
  agent = await startAgent(home);
});
test.afterAll(async () => {
  await agent.stop();
  removeHome(home);
});

test.skip(!installed('ib_write_bw'), 'perftest is not installed');

test('a program is found, refused with a wrong flag, run with both ends, and run again', async ({ page }) => {
  const port = String(28_000 + (process.pid % 2000));
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs`);
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await expect(page).toHaveURL(/\/tools$/);
  await expect(page.locator('[data-tool]')).toHaveCount(TOOLS.length);
  await expectAccessible(page);
  await keepScreenshots(page, 'tools');

  await page.getByRole('link', { name: 'ib_write_bw' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('ib_write_bw');
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('Tools/ib_write_bw');
  const field = (name: RegExp) => page.getByRole('textbox', { name });
  await field(/^Post list/).fill('200');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    '200 is too large. Enter a whole number from 1 to 64.',
  );
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await field(/^Post list/).fill('1');
  await field(/^Message size/).fill('4 KiB');
  await field(/^Port/).fill(port);
  const client = `ib_write_bw -F -s 4096 -n 1000 -c RC -m 4096 -x 1 -t 128 -p ${port} 127.0.0.1`;
  await expect(page.locator('[data-role=client]')).toContainText(`npx verbslab exec -- ${client}`);
  await expectAccessible(page);
  await keepScreenshots(page, 'tool');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Run', exact: true }).click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText('ib_write_bw');
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const output = page.locator('[data-panel=output]');
  await output.scrollIntoViewIfNeeded();
  // Outputs that alternate have the command above each part.
  await expect(output.getByText(`Command 2: ${client}`).first()).toBeVisible();
  await expect(output).toContainText('BW average[MB/sec]');
  const row = output.locator('[data-explained]').filter({ hasText: /^ 4096 +1000 / });
  const [, average] = /^ 4096 +1000 +[\d.]+ +([\d.]+)/.exec(await row.locator('pre').last().innerText())!;
  const [, gbps] = /Average ([\d.]+) Gb\/s/.exec(await row.last().innerText())!;
  expect((Number(gbps) * 1e9) / (Number(average) * 2 ** 20 * 8)).toBeCloseTo(1, 2);
  await expect(output).toContainText('MB are MiB: 2^20 bytes.');
  await expect(output).toContainText(/This run’s records say [\d.]+ Gb\/s, from the first post/);
  await expectAccessible(page);
  await keepScreenshots(page, 'tool-run');
  await page.getByRole('button', { name: 'Explain lines' }).click();
  await expect(output.locator('[data-explained]')).toHaveCount(0);

  await page.getByRole('link', { name: 'Run it again with other flags' }).click();
  await expect(field(/^Message size/)).toHaveValue('4 KiB');
  await expect(field(/^Port/)).toHaveValue(port);
});
