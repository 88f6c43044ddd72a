// Occupancy of the queues of a program that hangs: live on its page, and as it was when a signal ended the program.
import { expect } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { expectAccessible, keepScreenshots, signIn, state } from '../lib/page.js';
import { able, Programs } from '../stock/compile.js';

const ADDRESS = '127.0.0.48';

test('a program that polls nothing shows what is in each of its queues', async ({ page }) => {
  test.skip(!able, 'needs a C compiler and the headers of libibverbs');
  const programs = new Programs();
  const program = programs.compile('queues', ['-g', '-O0']);
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs`);
  const child = execProgram([program, 'sends'], { home: agent.home, address: ADDRESS });
  const panel = page.locator('[data-panel=queues]');
  const row = (name: string) => panel.locator(`[data-queue^="${name} "]`);
  try {
    await page.getByRole('link', { name: /queues sends$/ }).click();
    await panel.scrollIntoViewIfNeeded();
    await expect(row('SQ').locator('[data-shows=queue-fill]')).toHaveText('5 / 16', { timeout: 60_000 });
    await expect(row('CQ').locator('[data-shows=queue-fill]')).toHaveText('5 / 64');
    await expect(row('RQ').locator('[data-shows=queue-fill]')).toHaveText('0 / 8');
    await expect(row('SQ').locator('[data-shows=queue-since]')).toHaveText(/^[\d.]+ s$/);
    // The fullest is chosen, until another one is.
    await expect(row('SQ').getByRole('button')).toHaveAttribute('aria-pressed', 'true');
    await expect(panel.getByRole('application', { name: /^SQ 0x\w+ over time/ })).toBeVisible();
    await row('CQ').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('heading', { name: 'CQ 1 over time' })).toBeVisible();
    // The rings of the machine have the same.
    const ring = page.locator('[data-panel=machine] [data-queue=SQ] [data-shows=machine-fill]');
    await expect(ring.first()).toHaveText('5 / 16');
    // Once it counts as stuck, the queues stand beside what it waits for.
    const banner = page.locator('[data-standing]');
    await expect(banner).toContainText('holds 5 completions', { timeout: 60_000 });
    const beside = page.getByRole('region', { name: 'Queues now' });
    await expect(beside.locator('[data-queue="CQ 1"]')).toContainText('5 / 64');
    const [left, right] = [await banner.boundingBox(), await beside.boundingBox()];
    expect(right!.x).toBeGreaterThanOrEqual(left!.x + left!.width);
    await expectAccessible(page);
    await keepScreenshots(page, 'program-queues');
  } finally {
    child.kill('SIGTERM');
    await exitOf(child);
    programs.remove();
  }
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.locator('[data-shows=queues-when]')).toHaveText(/^Last sample with a queue: [\d.]+ s/);
  await expect(row('SQ').locator('[data-shows=queue-fill]')).toHaveText('5 / 16');
});
