// What a user of RDMA programs does: runs one under `verbslab exec` with the dashboard open, watches it, and looks it up later.
import { spawn, type ChildProcess } from 'node:child_process';
import { expect, test, type Page } from '@playwright/test';
import { newHome, removeHome, startAgent, verbslab, type RunningAgent } from '../lib/agent.js';
import { dissect } from '../lib/capture.js';
import { able, Programs } from '../stock/compile.js';
import { downloadCapture, expectAccessible, keepScreenshots, state } from '../lib/page.js';

const ADDRESS = '127.0.0.42';
const PORT = String(26_000 + (process.pid % 2000));
const PINGPONG = ['ibv_rc_pingpong', '-g', '1', '-n', '50000', '-p', PORT];

let home: string;
let agent: RunningAgent;
const children: ChildProcess[] = [];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  home = newHome();
  agent = await startAgent(home);
});
test.afterAll(async () => {
  for (const child of children) child.kill('SIGTERM');
  await agent.stop();
  removeHome(home);
});

function exec(command: string[], options: string[] = []): ChildProcess {
  const child = spawn(process.execPath, [verbslab, 'exec', ...options, '--', ...command], {
    env: { ...process.env, VERBSLAB_HOME: home, UROCE_ADDR: ADDRESS },
    stdio: 'ignore',
  });
  children.push(child);
  return child;
}

const exit = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)));

const panel = (page: Page, id: string) => page.locator(`[data-panel=${id}]`);

/** Panels out of sight are not drawn while the run goes on. */
async function seen(page: Page, id: string) {
  await panel(page, id).scrollIntoViewIfNeeded();
  return panel(page, id);
}

test('a program under exec appears in the list at once, and its page shows it live', async ({ page }) => {
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/runs`);
  const server = exec(PINGPONG);
  const link = page.getByRole('link', { name: PINGPONG.join(' ') });
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(PINGPONG.join(' '));
  await expect(state(page)).toHaveAttribute('data-state', 'running');

  const objects = panel(page, 'objects');
  await expect(objects.locator('[data-objects]')).toHaveAttribute('data-objects', '5');
  await expect(objects.locator('[data-object^="MR "]')).toContainText('4 KiB, LOCAL_WRITE');
  await expect(objects.locator('[data-object^="CQ "]')).toContainText('depth 501');
  await expect(objects.locator('[data-object^="QP "]')).toContainText('INIT');

  // The server listens once its QP is made.
  const client = exec([...PINGPONG, '127.0.0.1'], ['--no-agent']);
  await expect(objects.locator('[data-object^="QP "]')).toContainText('RTS');
  const packets = await seen(page, 'packets');
  await expect(packets.locator('[role=row][aria-rowindex]').first()).toContainText('RC SEND');
  const work = await seen(page, 'work');
  await expect(work.locator('[data-posted-sends]')).toHaveAttribute('data-posted-sends', /^[1-9]/);
  const completions = await seen(page, 'completions');
  await expect(completions.locator('[data-completions]')).toHaveAttribute('data-completions', /^[1-9]/);
  await keepScreenshots(page, 'program-live');
  expect(await exit(client)).toBe(0);
  expect(await exit(server)).toBe(0);
});

test('it stands in history as it was live: exact counts, capture, nothing that went wrong', async ({
  page,
}) => {
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/runs?lab=program`);
  await page.getByRole('link', { name: PINGPONG.join(' ') }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(panel(page, 'objects').locator('[data-objects]')).toHaveAttribute('data-live', '0');
  await expect(panel(page, 'work').locator('[data-posted-sends]')).toHaveAttribute(
    'data-posted-sends',
    '50000',
  );
  const completions = panel(page, 'completions').locator('[data-completions]');
  await expect(completions).toBeVisible();
  const shown = Number(await completions.getAttribute('data-completions'));
  const dropped = Number(await completions.getAttribute('data-dropped'));
  expect([shown, shown + dropped]).toContain(100_000);
  // On a busy machine an acknowledgement may be late; nothing else may go wrong, and the flushed receives are no error.
  const problems = panel(page, 'problems');
  await expect(problems.locator('[data-problem]:not([data-problem=counter])')).toHaveCount(0);
  const found = await problems.locator('[data-problem=counter]').count();
  if (found === 0) await expect(problems).toContainText('Nothing went wrong.');
  else await expect(state(page).locator('[data-problems]')).toHaveAttribute('data-problems', String(found));
  const counters = (await seen(page, 'counters')).locator('[data-counter]');
  await expect(counters.first()).toBeVisible();
  const moved = await counters.count();
  await panel(page, 'counters')
    .getByRole('button', { name: /counters at zero$/ })
    .click();
  await expect(counters).not.toHaveCount(moved);
  const unexplained = counters.filter({ hasNot: page.getByRole('button') });
  expect(await unexplained.evaluateAll((cells) => cells.map((cell) => cell.textContent))).toEqual([]);
  await expect(panel(page, 'output').locator('[data-output] pre').first()).toContainText('local address:');
  await expect(panel(page, 'output')).toContainText('50000 iters');
  await expect(page.locator('header').getByText(/^Done after .*, exit code 0\.$/)).toBeVisible();
  await expect(page.locator('[data-answer]')).toHaveText(
    /^391 MiB sent and received in 100,000 completed work requests on uroce0, with 127\.0\.0\.42\. Average [\d.]+ Gb\/s over the .* Latency from post to completion: p50 .* \(n = /,
  );
  // The client is not in this run.
  const posted = panel(page, 'traffic').locator('[data-messages]');
  await expect(posted).toHaveAttribute('data-messages', '50000');
  await expect(panel(page, 'traffic').locator('thead')).toContainText('other programs');
  await expectAccessible(page);
  await keepScreenshots(page, 'program-done');
  const dissected = dissect(await downloadCapture(page, 'program.pcapng'));
  expect(dissected.packets).toBeGreaterThan(1000);
  expect(dissected.roce).toBe(dissected.packets);
  expect(dissected.malformed).toEqual([]);
});

test('shows its author what went wrong: output, exit code, the mistake with its source line, leaks last', async ({
  page,
}) => {
  test.skip(!able, 'needs a C compiler and the headers of libibverbs');
  const programs = new Programs();
  try {
    const bad = programs.compile('bad', ['-g']);
    expect(await exit(exec([bad]))).toBe(3);
  } finally {
    programs.remove();
  }
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/runs?lab=program`);
  await page.getByRole('link', { name: 'bad', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  await expect(page.getByText(/^Ended after .*, exit code 3\.$/)).toBeVisible();
  await expect(page.locator('[data-answer]')).toHaveText('No work request completed on uroce0.');
  const output = await seen(page, 'output');
  await expect(output).toContainText('about to post');
  await expect(output).toContainText('ibv_post_send: Invalid argument');
  await expect(output.getByRole('button', { name: 'Copy' })).toBeVisible();
  const problems = panel(page, 'problems').locator('[data-problem]');
  await expect(problems.first()).toContainText(/QP 0x[0-9a-f]+ is in RESET, and sends need RTS\./);
  await expect(problems.nth(1)).toContainText(/called by \w+, bad\.c:11: the QP was in state RESET\./);
  await expect(problems.last()).toContainText(
    /^Leaked .* by main, bad\.c:\d+\)\. Call ibv_\w+ before exit\./,
  );
  const objects = panel(page, 'objects');
  await expect(objects.locator('[data-object^="MR 0x"]')).toContainText('64 B, access none');
  await expect(objects).toContainText('5 objects, 5 never destroyed');
  await expectAccessible(page);
  await keepScreenshots(page, 'program-failed');
});

test('Cancel ends the program', async ({ page }) => {
  await page.goto(await agent.link());
  const command = ['ibv_rc_pingpong', '-g', '1', '-p', String(Number(PORT) + 1)];
  const waiting = exec(command);
  await page.goto(`${agent.origin}/runs`);
  await page.getByRole('link', { name: command.join(' ') }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'cancelled');
  await new Promise((resolve) =>
    waiting.signalCode === null ? waiting.once('exit', resolve) : resolve(null),
  );
  expect(waiting.signalCode).toBe('SIGTERM');
});
