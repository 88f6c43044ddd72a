// A program that is stuck: the first words of its page say which request waits for what, live, and how it ended.
import { expect } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { expectAccessible, keepScreenshots, signIn, state } from '../lib/page.js';
import { able, Programs } from '../stock/compile.js';

const ADDRESS = '127.0.0.47';
const WAITS = /: SEND \(wr_id 3\) on QP 0x\w+ waits for a receive on QP 0x\w+ \(3 posted, none left\)\./;

test('a program without a receive is stuck, and its page says so first', async ({ page }) => {
  test.skip(!able, 'needs a C compiler and the headers of libibverbs');
  const programs = new Programs();
  const program = programs.compile('stuck', ['-g', '-O0']);
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs`);
  const child = execProgram([program, 'no-receive'], { home: agent.home, address: ADDRESS });
  try {
    await page.getByRole('link', { name: /stuck no-receive$/ }).click();
    const banner = page.locator('[data-standing=rnr]');
    await expect(banner).toContainText(/^Stuck for/, { timeout: 60_000 });
    await expect(banner).toContainText(WAITS);
    await expect(banner).toContainText('Post a receive on QP 0x');
    await expect(banner).toContainText('The latest receive was posted by post_recv, stuck.c:');
    // Below the bar of the page, the heading comes first, then this; no throughput is above it.
    const [heading, box] = [await page.locator('h1').boundingBox(), await banner.boundingBox()];
    expect(box!.y).toBeLessThan(heading!.y + heading!.height + 40);
    await expect(page.locator('[data-shows=standing-ruled-out]')).toContainText('The program polls CQ 1.');
    await expect(page.locator('[data-shows=standing-evidence] li').first()).toContainText('RNR NAK');
    // The places of the calls, and why there is no source of a program under exec.
    const site = page.locator('[data-shows=call-site]');
    await expect(site).toContainText(/The request was posted by try_send, stuck\.c:\d+/);
    await expect(site).toContainText(/CQ 1 is polled by poll_on, stuck\.c:\d+/);
    await expect(site).toContainText('The source is not recorded');
    // The picture of the request that waits, at its last stage.
    const view = page.locator('[data-standing-view]');
    await expect(view.locator('[data-shows=picture-title]')).toHaveText(
      'One SEND of 64 B, recorded in this run',
    );
    await expect(view.getByRole('button', { name: 'RNR NAK' }).first()).toBeVisible();
    // The time goes on.
    const first = await banner.locator('p').first().textContent();
    await expect(banner.locator('p').first()).not.toHaveText(first!);
    await banner.getByRole('button', { name: /First RNR NAK, packet \d+/ }).click();
    await expect(page).toHaveURL(/packet/);
    await expectAccessible(page);
    await keepScreenshots(page, 'program-stuck');
  } finally {
    child.kill('SIGTERM');
    await exitOf(child);
    programs.remove();
  }
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  const ended = page.locator('[data-standing=rnr]');
  await expect(ended).toContainText(/^Stuck for .* when it ended: SEND \(wr_id 3\)/);
  // What it moved is closed below the cause.
  await expect(page.locator('[data-shows=program-answer]')).toBeHidden();
  await page.getByText('Throughput and latency').click();
  await expect(page.locator('[data-shows=program-answer]')).toBeVisible();
});
