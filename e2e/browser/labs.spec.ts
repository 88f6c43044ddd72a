// The catalogue and the pages of labs: search, variations, self-checks, and the text about a run.
import { expect, test } from '@playwright/test';
import { newHome, removeHome, startAgent, type RunningAgent } from '../lib/agent.js';
import { expectAccessible, keepScreenshots } from '../lib/page.js';

const home = newHome();
let agent: RunningAgent;

test.beforeAll(async () => {
  agent = await startAgent(home);
});
test.afterAll(async () => {
  await agent.stop();
  removeHome(home);
});

test('a reader finds a lab by its words', async ({ page }) => {
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/labs`);
  await expect(page.getByRole('heading', { name: 'Foundations' })).toBeVisible();
  await keepScreenshots(page, 'labs');
  await expectAccessible(page);
  const search = page.getByRole('searchbox', { name: 'Search labs' });
  await search.fill('step by step');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await search.fill('no such lab');
  await expect(page.getByText('No lab matches “no such lab”.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all labs' }).click();
  await page.getByRole('link', { name: /How does one RDMA WRITE work/ }).click();
  await expect(page).toHaveURL(/\/labs\/minimal-flow$/);
});

test('a reader takes a lab from its question to its self-checks', async ({ page }) => {
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await expect(page.getByText('Run the lab first.')).toBeVisible();
  await page.getByRole('button', { name: '1 B message' }).click();
  await expect(page.getByRole('textbox', { name: 'Message size' })).toHaveValue('1 B');
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expect(page).toHaveURL(/\/runs\/view/);
  await expect(page.locator('main [data-state]').first()).toHaveAttribute('data-state', 'done');

  await page.getByRole('link', { name: 'Explain this run' }).click();
  await expect(page).toHaveURL(/\/labs\/minimal-flow\?run=/);
  await expect(page.locator('[data-shows=live-param]').first()).toHaveText('1 B');
  await expect(page.locator('[data-shows=live-check]').first()).toHaveText('held');

  const packets = page.locator('[data-self-check=packets]');
  const [, size = '', mtu = ''] = /carries ([\d,]+) B, and the path MTU is (\d+) B/.exec(
    await packets.innerText(),
  )!;
  const right = Math.ceil(Number(size.replaceAll(',', '')) / Number(mtu));
  const answer = packets.getByRole('textbox');
  await answer.fill(String(right + 1));
  await answer.press('Enter');
  await expect(packets.locator('[data-verdict=wrong]')).toBeVisible();
  await answer.fill(String(right));
  await answer.press('Enter');
  await expect(packets.locator('[data-verdict=right]')).toBeVisible();
  await expect(packets).toContainText(`rounded up, is ${right}.`);
  await keepScreenshots(page, 'lab-read');
  await expectAccessible(page);

  const asked = await packets.innerText();
  await page.getByRole('button', { name: 'Ask with other numbers' }).click();
  await expect(packets).not.toHaveText(asked);
});
