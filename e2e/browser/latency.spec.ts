// How long the requests of a program took: all of them, over time, and in the table behind.
import type { ChildProcess } from 'node:child_process';
import { expect } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { expectAccessible, keepScreenshots, signIn, state } from '../lib/page.js';

const ADDRESS = '127.0.0.48';
const PORT = String(31_000 + (process.pid % 1000));
const MESSAGES = 4000;
const PINGPONG = ['ibv_rc_pingpong', '-g', '1', '-n', String(MESSAGES), '-p', PORT];

const children: ChildProcess[] = [];
test.afterAll(() => {
  for (const child of children) child.kill('SIGTERM');
});
function exec(command: string[], options: string[] = []): ChildProcess {
  const child = execProgram(command, { home: agent.home, address: ADDRESS, options });
  children.push(child);
  return child;
}

test('the latency of a program: histogram, percentiles over time, heat map, and the table', async ({
  page,
}) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs`);
  const server = exec(PINGPONG);
  await page.getByRole('link', { name: PINGPONG.join(' ') }).click();
  await expect(page.locator('[data-panel=objects] [data-object^="QP "]')).toContainText('INIT');
  const client = exec([...PINGPONG, '127.0.0.1'], ['--no-agent']);
  for (const child of [server, client]) expect(await exitOf(child)).toBe(0);
  await expect(state(page)).toHaveAttribute('data-state', 'done');

  const panel = page.locator('[data-panel=request-latency]');
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.locator('[data-shows=latencies-measured]')).toHaveText('4,000');
  await expect(panel.locator('[data-shows=latencies-missing]')).toHaveText('Not measured: 4,000 receives.');
  await expect(panel.locator('[data-shows=chart-samples]')).toContainText('(n = 4,000)');
  // The first lines of the page show the same figure.
  const p50 = await panel.locator('[data-shows=chart-p50]').textContent();
  await expect(page.locator('[data-answer]')).toContainText(
    p50!.replaceAll('\u00a0', ' ').replace('p50 ', ''),
  );
  // Every request is in a cell.
  await expect(panel.locator('canvas[data-heat]')).toHaveAttribute('data-heat', String(MESSAGES));
  await expect(panel.locator('path[data-line=p50], [data-line=p50] path').first()).toBeAttached();
  // The heat map is painted.
  const painted = await panel.locator('canvas[data-heat]').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value, i) => i % 4 === 3 && value > 0);
  });
  expect(painted).toBe(true);
  await expectAccessible(page);
  await keepScreenshots(page, 'program-latency');

  await panel.getByRole('button', { name: /table/i }).click();
  const rows = panel.locator('[data-shows=latency-time-table] tbody tr');
  const counts = await rows.evaluateAll((all) =>
    all.map((row) => Number((row as HTMLTableRowElement).cells[2]!.textContent.replaceAll(',', ''))),
  );
  expect(counts.reduce((a, b) => a + b, 0)).toBe(MESSAGES);
});
