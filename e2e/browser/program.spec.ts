// Use of RDMA programs: run one under `verbslab exec` with the dashboard open, watch it, and look it up later.
import type { ChildProcess } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { dissect } from '../lib/capture.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { able, Programs } from '../stock/compile.js';
import { downloadCapture, expectAccessible, keepScreenshots, signIn, state } from '../lib/page.js';

const ADDRESS = '127.0.0.42';
const PORT = String(26_000 + (process.pid % 2000));
const PINGPONG = ['ibv_rc_pingpong', '-g', '1', '-n', '50000', '-p', PORT];

const children: ChildProcess[] = [];

test.describe.configure({ mode: 'serial' });
test.afterAll(() => {
  for (const child of children) child.kill('SIGTERM');
});

function exec(command: string[], options: string[] = []): ChildProcess {
  const child = execProgram(command, { home: agent.home, address: ADDRESS, options });
  children.push(child);
  return child;
}

const panel = (page: Page, id: string) => page.locator(`[data-panel=${id}]`);

/** Scrolls to a panel: panels out of sight are not drawn during the run. */
async function seen(page: Page, id: string) {
  await panel(page, id).scrollIntoViewIfNeeded();
  return panel(page, id);
}

test('a program under exec appears in the list at once, and its page shows it live', async ({ page }) => {
  await signIn(page, agent);
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
  await expect(packets.locator('[role=row][aria-rowindex]').first()).toContainText('SEND');
  const work = await seen(page, 'work');
  await expect(work.locator('[data-posted-sends]')).toHaveAttribute('data-posted-sends', /^[1-9]/);
  const completions = await seen(page, 'completions');
  await expect(completions.locator('[data-completions]')).toHaveAttribute('data-completions', /^[1-9]/);
  await keepScreenshots(page, 'program-live');
  expect(await exitOf(client)).toBe(0);
  expect(await exitOf(server)).toBe(0);
});

test('the history shows it as it was live: exact counts, capture, no problems', async ({ page }) => {
  await signIn(page, agent);
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
  // A busy page takes a while to read them all.
  await expect
    .poll(async () => {
      const shown = Number(await completions.getAttribute('data-completions'));
      const dropped = Number(await completions.getAttribute('data-dropped'));
      return [shown, shown + dropped];
    })
    .toContain(100_000);
  // An acknowledgment may be late on a busy machine. Nothing else may go wrong, and the flushed receives are no error.
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
    /^195 MiB sent and 195 MiB received in 100,000 successful work requests(?:, one at a time,)? on uroce0, with 127\.0\.0\.42\. Average [\d.]+ Gb\/s, both directions together, over the .* Latency from post to completion: p50 .* \(n = /,
  );
  // The client is not in this run.
  const posted = panel(page, 'traffic').locator('[data-messages]');
  await expect(posted).toHaveAttribute('data-messages', '50000');
  await expect(panel(page, 'traffic').locator('thead')).toContainText('outside this run');
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
    expect(await exitOf(exec([bad]))).toBe(3);
  } finally {
    programs.remove();
  }
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs?lab=program`);
  await page.getByRole('link', { name: 'bad', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  await expect(page.getByText(/^Ended after .*, exit code 3\.$/)).toBeVisible();
  await expect(page.locator('[data-answer]')).toHaveText(
    'The program polled no successful completion on uroce0.',
  );
  const output = await seen(page, 'output');
  await expect(output).toContainText('about to post');
  await expect(output).toContainText('ibv_post_send: Invalid argument');
  await expect(output.getByRole('button', { name: 'Copy' })).toBeVisible();
  const problems = panel(page, 'problems').locator('[data-problem]');
  await expect(problems).toHaveCount(2);
  await expect(problems.first()).toContainText(
    /called by \w+, bad\.c:11: the QP is in state RESET, and sends need RTS\./,
  );
  await problems.first().getByText('1 more report of it').click();
  await expect(
    problems
      .first()
      .getByText(/^ibv_post_send failed: the QP is in state RESET, and sends need RTS \(EINVAL\)\./),
  ).toBeVisible();
  await expect(problems.last()).toContainText(/^pid \d+ left 5 objects behind\./);
  await expect(problems.last().locator('li').last()).toContainText(
    /^Leaked .* by main, bad\.c:\d+\)\. Call ibv_\w+ before exit\./,
  );
  const objects = panel(page, 'objects');
  await expect(objects.locator('[data-object^="MR 0x"]')).toContainText('64 B, access none');
  await expect(objects).toContainText('5 objects, 5 never destroyed');
  await expectAccessible(page);
  await keepScreenshots(page, 'program-failed');
});

test('names the request that was refused, its line and the exact reason, and leads to its packets', async ({
  page,
}) => {
  test.skip(!able, 'needs a C compiler and the headers of libibverbs');
  const programs = new Programs();
  try {
    expect(await exitOf(exec([programs.compile('refused', ['-g'])]))).toBe(3);
  } finally {
    programs.remove();
  }
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs?lab=program`);
  await page.getByRole('link', { name: 'refused', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  await expect(page.locator('[data-answer]')).toHaveText(
    /^304 KiB written in 19 successful work requests, one at a time, on uroce0, .* from the first post to the last completion\./,
  );
  const reason =
    /QP 0x[0-9a-f]+ refused RDMA_WRITE of 16384 bytes to 0x[0-9a-f]+ with rkey (0x[0-9a-f]{8}) from QP 0x[0-9a-f]+: rkey \1 names no memory region of this process, and these bytes are in MR (0x[0-9a-f]{8}) \(16384 bytes at 0x[0-9a-f]+\)\./;
  const alert = page.locator('header').getByRole('alert');
  await expect(alert).toContainText(
    /RDMA_WRITE of 16\sKiB \(wr_id 119\) on QP 0x[0-9a-f]+ failed: REM_ACCESS_ERR\./,
  );
  await expect(alert).toContainText(reason);
  await expect(alert.locator('summary')).toHaveCount(0);
  await alert.getByRole('link', { name: 'Show the error' }).click();

  // A single incident: neither the completion nor the asynchronous event is listed again.
  const incident = panel(page, 'problems').locator('[data-problem=incident]');
  await expect(incident).toHaveCount(1);
  await expect(incident).toBeInViewport();
  // The visible text leaves out the tip with the whole path.
  await expect(incident).toContainText('Posted by main, refused.c:37.', { useInnerText: true });
  await expect(incident).toContainText(reason);
  await expect(incident).toContainText(/Post the request with rkey 0x[0-9a-f]{8}\./);
  await expect(incident).toContainText('IBV_EVENT_QP_ACCESS_ERR');
  await expect(
    panel(page, 'problems').locator('[data-problem=completion], [data-problem=async]'),
  ).toHaveCount(0);
  // The incident, and the 7 objects that leaked.
  await expect(state(page).locator('[data-problems]')).toHaveAttribute('data-problems', '2');

  await incident.getByRole('link', { name: 'Work request' }).click();
  await expect(panel(page, 'work').locator('tr:target')).toContainText(
    /RDMA_WRITE.*119.*16\sKiB.*REM_ACCESS_ERR/,
  );

  // All columns are in sight at half the width and on a phone.
  const table = panel(page, 'work').getByRole('group', { name: 'Work requests' });
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(table).toBeVisible();
    await expect
      .poll(() =>
        table.evaluate((e) =>
          Math.max(...[e, e.querySelector('tbody')!].map((part) => part.scrollWidth - part.clientWidth)),
        ),
      )
      .toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: /^Capture \(pcapng\) [\d,]+ records, / })).toBeVisible();
  await page.keyboard.press('Escape');

  // The report has the same text and names the same packet.
  const nak = /[\d,]+$/.exec(await incident.getByRole('button', { name: /^NAK, No\./ }).innerText())![0];
  const id = new URL(page.url()).searchParams.get('id');
  const report = await page.context().newPage();
  await report.setContent(
    await (await page.request.get(`${agent.origin}/api/runs/${id}/export/html`)).text(),
  );
  await expect(report.locator('.problems')).toContainText(reason);
  await expect(report.locator('.problems')).toContainText('It was posted by main, refused.c:37.');
  await expect(report.getByText(new RegExp(`^No\\. ${nak} at .* NAK: Remote access error`))).toBeVisible();
  await expect(report.getByRole('heading', { name: 'Objects left behind' })).toBeVisible();
  // Its charts are those of the requests’ latency.
  await expect(report.getByRole('img')).toHaveCount(2);
  await expectAccessible(report);
  await keepScreenshots(report, 'report-failed');
  await report.close();

  // Each packet is listed once, though two QPs of one process send and receive it.
  const packets = panel(page, 'packets');
  await incident.getByRole('button', { name: /^First packet, No\./ }).click();
  await expect(packets).toBeInViewport();
  await expect(packets.locator('[role=row][aria-selected=true]')).toContainText(
    /WRITE First.*rkey=0x[0-9a-f]{8} DMA len=16384/,
  );
  await expect(packets).toContainText(/340 packets, each listed once\. \d+ of them were captured twice/);
  await expect(packets.getByRole('grid')).toHaveAttribute('aria-rowcount', '341');
  await incident.getByRole('button', { name: /^NAK, No\./ }).click();
  await expect(packets.locator('[role=row][aria-selected=true]')).toContainText('NAK: Remote access error');
  await packets.getByRole('button', { name: 'Show arrivals' }).click();
  await packets.locator('[role=row]').filter({ hasText: 'arrival: ' }).first().click();
  await expect(packets.locator('[role=row][aria-selected=true]')).toContainText('arrival: ');
  await packets.getByRole('button', { name: 'Hide arrivals' }).click();
  await expect(packets.getByRole('grid')).toHaveAttribute('aria-rowcount', '341');
  await expect(packets.locator('[role=row][aria-selected=true]')).not.toContainText('arrival: ');

  // The end of a program's output says how the program failed.
  const output = (await seen(page, 'output')).getByRole('group', { name: 'What the program printed' });
  const below = () => output.evaluate((e) => Math.round(e.scrollHeight - e.clientHeight - e.scrollTop));
  expect(await output.evaluate((e) => e.scrollHeight > e.clientHeight)).toBe(true);
  await expect.poll(below).toBeLessThanOrEqual(1);
  // The Export menu's text about formats is in the header too, and hidden.
  const command = page.locator('header code').filter({ visible: true });
  await expect(command.first()).toHaveText(/^npx verbslab exec -- \/.*\/refused$/);
  await expect(panel(page, 'moved')).toContainText('Too short to sample');
  await expectAccessible(page);
  await keepScreenshots(page, 'program-refused');
});

test('Cancel ends the program', async ({ page }) => {
  await signIn(page, agent);
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
