// The catalog and the pages of labs: search, variations, self-checks, and the text about a run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, keepFoldsOpen, keepScreenshots, signIn, state } from '../lib/page.js';

test('a reader finds a lab by its words', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs`);
  await expect(page.getByRole('heading', { name: 'Foundations' })).toBeVisible();
  await keepScreenshots(page, 'labs');
  await expectAccessible(page);
  const search = page.getByRole('searchbox', { name: 'Search labs' });
  await search.fill('every verbs call');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await search.fill('no such lab');
  await expect(page.getByText('No lab matches “no such lab”.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all labs' }).click();
  await page.getByRole('link', { name: /^One WRITE, step by step/ }).click();
  await expect(page).toHaveURL(/\/labs\/minimal-flow$/);
});

/** Fills in the number of packets that carry the lab's message. */
async function answerPackets(page: Page, add = 0): Promise<number> {
  const packets = page.locator('[data-self-check=packets]');
  const [, size = '', mtu = ''] = /carries ([\d,]+) B, and the path MTU is (\d+) B/.exec(
    await packets.innerText(),
  )!;
  const right = Math.ceil(Number(size.replaceAll(',', '')) / Number(mtu));
  const answer = packets.getByRole('textbox');
  await answer.fill(String(right + add));
  await answer.press('Enter');
  await expect(packets.locator(`[data-verdict=${add === 0 ? 'right' : 'wrong'}]`)).toBeVisible();
  return right;
}

test('a reader takes a lab from its question to its self-checks', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await expect(page.getByText('Run the lab first.')).toBeVisible();
  await page.getByRole('button', { name: '1 B message' }).click();
  await expect(page.getByRole('textbox', { name: 'Message size' })).toHaveValue('1 B');
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expect(page).toHaveURL(/\/labs\/minimal-flow\?run=/);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.locator('[data-shows=live-param]').first()).toHaveText('1 B');
  await expect(page.locator('[data-shows=live-check]').first()).toHaveText('check passed');

  const packets = page.locator('[data-self-check=packets]');
  await answerPackets(page, 1);
  const right = await answerPackets(page);
  await expect(packets).toContainText(`rounded up, is ${right}.`);
  await keepScreenshots(page, 'lab-read');
  await expectAccessible(page);

  const asked = await packets.innerText();
  await page.getByRole('button', { name: 'Ask with other numbers' }).click();
  await expect(packets).not.toHaveText(asked);
});

test('a reader copies a program of a lab, in each language', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: agent.origin });
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/write-imm`);
  const code = page.locator('[data-code]');
  const source = (name: string) => code.getByRole('region', { name });
  await expect(source('main.c')).toContainText('IBV_WR_RDMA_WRITE_WITH_IMM');
  await expect(code.getByText('npx verbslab exec /tmp/write-imm')).toBeVisible();
  await keepScreenshots(page, 'lab-code');
  await expectAccessible(page);

  // The arrows of the keyboard lead from tab to tab.
  await code.getByRole('tab', { name: 'C', exact: true }).press('ArrowRight');
  await expect(source('common.h')).toContainText('ibv_get_device_list');
  await code.getByRole('tab', { name: 'common.h' }).press('End');
  await expect(source('main.ts')).toContainText("opcode: 'RDMA_WRITE_WITH_IMM'");
  await code.getByRole('tab', { name: 'Python' }).click();
  await code.getByRole('button', { name: 'Copy main.py' }).click();
  await expect(code.getByText('Copied', { exact: true })).toBeAttached();
  const file = join(import.meta.dirname, '../../packages/labs/src/write-imm/code/main.py');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(readFileSync(file, 'utf8'));
  await page.goto(`${agent.origin}/labs/copies-and-calls`);
  await expect(page.getByRole('heading', { name: 'Traps' })).toBeVisible();
  await expect(page.locator('[data-code]')).toHaveCount(0);
});

test('a second run is shown against the first one', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/cq-overrun`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const figures = page.getByRole('group', { name: 'Against run' });
  await expect(page.locator('[data-reading]')).toBeVisible();
  await expect(figures).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Requests beyond its size' }).fill('3');
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(figures).toBeVisible();
  await expect(figures.getByRole('row').nth(1)).toContainText('Requests beyond its size');
  await keepScreenshots(page, 'lab-against-first');
  await expectAccessible(page);
});

/** Runs the clinic with the chosen failure and a diagnosis. Returns the page's verdict on the diagnosis. */
async function diagnose(page: Page, diagnosis: string): Promise<string> {
  await page
    .getByRole('region', { name: 'Your prediction' })
    .getByRole('combobox')
    .selectOption({ label: diagnosis });
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  return page.locator('[data-shows=result-verdict]').first().innerText();
}

test('the clinic tells a wrong diagnosis from a right one', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  const choose = async () => {
    await page.goto(`${agent.origin}/labs/clinic?reveal=false`);
    await page.getByRole('button', { name: 'A wrong rkey' }).click();
  };
  await choose();
  expect(await diagnose(page, 'A missing access right')).toBe('Not as you predicted.');
  await choose();
  expect(await diagnose(page, 'A wrong rkey')).toBe('As you predicted.');
});

test('a shipped function that was altered is refused, and diagnosed', async ({ page }) => {
  const failure = 'A shipped function changed after it was signed';
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/clinic?reveal=false`);
  await page.getByRole('combobox', { name: 'Failure', exact: true }).selectOption({ label: failure });
  expect(await diagnose(page, failure)).toBe('As you predicted.');
  await expect(page.getByRole('main')).toContainText('LAMBDA_ALTERED');
  await expect(page.getByRole('main')).toContainText('The signature covers every byte.');
});

test('progress survives a restart of the agent, and can be reset', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await answerPackets(page);
  const question = page.locator('[data-self-check=who-learns]');
  await question.getByRole('radio', { name: /^Nothing/ }).check();
  await question.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(question.locator('[data-verdict=right]')).toBeVisible();

  const row = page.getByRole('listitem').filter({ hasText: 'How does one RDMA WRITE work' });
  const line = page.locator('[data-progress]');
  const shown = async () => {
    await expect(line).toContainText(/[1-9]\d* of \d+ labs run\./);
    await expect(row.locator('[data-done]')).toContainText(/Last run .*\d:\d.*2 of 2 self-checks right\./);
    return line.innerText();
  };
  await page.goto(`${agent.origin}/labs`);
  const before = await shown();
  expect(before).toContain('Next: What does an RDMA device tell you');
  await keepScreenshots(page, 'labs-progress');
  await expectAccessible(page);

  await agent.stop();
  await agent.startAgain();
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/labs`);
  expect(await shown()).toBe(before);

  await line.getByRole('button', { name: 'Reset progress' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset progress' }).click();
  await expect(line).toContainText(/^0 of /);
  await expect(page.locator('[data-done]')).toHaveCount(0);
});
