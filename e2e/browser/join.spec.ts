// Server and client of a program as one run: joined by themselves, looked at on one time axis and alone, separated,
// and joined again by a person.
import type { ChildProcess } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { expectAccessible, keepScreenshots, signIn, state } from '../lib/page.js';

const ADDRESS = '127.0.0.47';
const PORT = String(29_000 + (process.pid % 2000));
const PINGPONG = ['ibv_rc_pingpong', '-g', '1', '-n', '200', '-p', PORT];
const CLIENT = [...PINGPONG, '127.0.0.1'];

const children: ChildProcess[] = [];

test.describe.configure({ mode: 'serial' });
test.afterAll(() => {
  for (const child of children) child.kill('SIGTERM');
});

function exec(command: string[]): ChildProcess {
  const child = execProgram(command, { home: agent.home, address: ADDRESS, stdout: 'pipe' });
  children.push(child);
  return child;
}

/** `wr pid 12 0x1a` names the process and the queue pair of a track. */
const processesOf = async (page: Page): Promise<string[]> => {
  const names = await page
    .locator('[data-track^="wr "]')
    .evaluateAll((tracks) => tracks.map((track) => track.getAttribute('data-track')!));
  return [...new Set(names.flatMap((name) => /pid \d+/.exec(name)?.[0] ?? []))];
};

test('two runs become one with both ends on one time axis, and come back', async ({ page }) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs`);
  // A run that ended before the others began cannot be joined with them.
  expect(await exitOf(exec(['true']))).toBe(0);
  const server = exec(PINGPONG);
  await page.getByRole('link', { name: PINGPONG.join(' '), exact: true }).click();
  await expect(page.locator('[data-panel=objects] [data-object^="QP "]')).toContainText('INIT');
  const client = exec(CLIENT);
  for (const child of [server, client]) expect(await exitOf(child)).toBe(0);
  await expect(state(page)).toHaveAttribute('data-state', 'done');

  // Both are in one view, without a question, and the address stays that of the run that was opened.
  const joinedTitle = `${PINGPONG.join(' ')} + ${CLIENT.join(' ')}`;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(joinedTitle);
  await expect(page.locator('[data-shows=joined-from]')).toHaveText('Joined from 2 runs: run 2, run 3.');
  await expect(page.locator('[data-answer]')).toContainText('by 2 processes');
  const output = page.locator('[data-panel=output]');
  await output.scrollIntoViewIfNeeded();
  // The output is in the order of time, so either command may come first.
  for (const name of ['Command 1: ', 'Command 2: '])
    await expect(
      output.locator('[data-shows=output-command]').filter({ hasText: name }).first(),
    ).toBeVisible();
  await page.locator('#timeline').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-timeline]')).toBeVisible();
  await expect.poll(async () => (await processesOf(page)).length).toBe(2);
  await expectAccessible(page);
  await keepScreenshots(page, 'joined-run');

  // Open one of the runs alone, and go back.
  await page.getByRole('link', { name: 'run 3', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(CLIENT.join(' '));
  await expect(page.locator('[data-shows=part-of]')).toHaveText('Part of run 4.');
  await page.getByRole('link', { name: 'run 4', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(joinedTitle);
  await page.goto(`${agent.origin}/runs`);
  await expect(page.locator('[data-run]')).toHaveCount(2);
  await page.getByRole('link', { name: CLIENT.join(' ') }).click();

  // The table of actions has it too.
  await expect(page.getByRole('button', { name: 'Separate…' })).toBeEnabled();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('separate');
  await page.keyboard.press('Enter');
  const separate = page.getByRole('dialog', { name: 'Separate this run' });
  await expect(separate).toContainText('Runs 2 and 3 return exactly as they were, and run 4 is deleted.');
  await separate.getByRole('button', { name: 'Separate', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(PINGPONG.join(' '));
  await expect(page.locator('[data-shows=joined-from], [data-shows=part-of]')).toHaveCount(0);
  await page.goto(`${agent.origin}/runs`);
  await expect(page.locator('[data-run]')).toHaveCount(3);

  // Separated runs stay so, until a person joins them.
  await page.getByRole('link', { name: PINGPONG.join(' '), exact: true }).click();
  await page.getByRole('button', { name: 'Join with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Join with another run' });
  const candidates = dialog.locator('[data-candidate]');
  await expect(candidates).toHaveCount(2);
  await expect(candidates.first()).toHaveAttribute('data-candidate', '3');
  await expect(candidates.first()).toContainText('Connected to this run');
  await expect(candidates.first().getByRole('radio')).toBeChecked();
  await expectAccessible(page);
  await keepScreenshots(page, 'join-dialog');
  // The dialog stays open and shows the reason of a refusal.
  await candidates.last().getByRole('radio').check();
  await dialog.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('did not run at the same time');
  await candidates.first().getByRole('radio').check();
  await dialog.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(joinedTitle);
});
