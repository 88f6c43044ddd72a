// The machine of a run as a picture: in a step-by-step lab, a measuring lab, a lab with several clients, and a program.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { expectAccessible, expectRun, keepFoldsOpen, keepScreenshots, signIn, state } from '../lib/page.js';

test.describe.configure({ mode: 'serial' });
test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
});

const machine = (page: Page) => page.locator('[data-panel=machine]');
const node = (page: Page, endpoint: string, kind: string) =>
  machine(page).locator(`[role=button][data-endpoint="${endpoint}"][data-kind="${kind}"]`);
const fill = (page: Page, endpoint: string, kind: string, queue: string) =>
  node(page, endpoint, kind).locator(`[data-queue=${queue}] [data-shows=machine-fill]`).first();

async function start(page: Page, address: string, button = 'Run'): Promise<void> {
  await page.goto(`${agent.origin}/labs/${address}`);
  await page.getByRole('button', { name: button, exact: true }).click();
  await expectRun(page);
}

const done = (page: Page) => expect(state(page)).toHaveAttribute('data-state', 'done');

/** Runs the steps of the lab, from one to another. */
async function stepTo(page: Page, last: string, first = 'device'): Promise<void> {
  const steps = ['device', 'memory', 'queues', 'exchange', 'init', 'rtr', 'rts', 'write'];
  for (const id of steps.slice(steps.indexOf(first), steps.indexOf(last) + 1)) {
    await page
      .locator('[data-next-step]')
      .getByRole('button', { name: /^Step \d+: / })
      .click();
    await expect(page.locator(`[data-step=${id}]`)).toHaveAttribute('data-state', 'done');
  }
}

test('objects appear with the steps that make them, and lead to their requests and packets', async ({
  page,
}) => {
  await start(page, 'minimal-flow', 'Step by step');
  await stepTo(page, 'device');
  await expect(node(page, 'client', 'QP')).toHaveCount(0);
  // Objects of the next step are drawn as planned.
  await page.locator('button[data-step=memory]').click();
  await expect(node(page, 'client', 'MR')).toHaveAttribute('data-look', 'planned');
  await stepTo(page, 'memory', 'memory');
  await expect(node(page, 'client', 'MR')).toHaveAttribute('data-look', 'new');
  await stepTo(page, 'write', 'queues');
  await expect(node(page, 'client', 'QP').locator('[data-shows=machine-state]')).toHaveText('RTS');

  // After the step its request has been polled.
  await expect(fill(page, 'client', 'QP', 'SQ')).toHaveText('0 / 16');
  await expect(fill(page, 'client', 'CQ', 'CQ')).toHaveText('0 / 16');
  await keepScreenshots(page, 'machine-step');

  // The inspector leads to the request and its packets, for all views of the page.
  const qp = node(page, 'client', 'QP');
  await qp.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/[?&]qp=client%3A\d+/);
  const inspector = page.locator('[data-inspector=QP]');
  await expect(inspector).toContainText('max_send_wr');
  await inspector.locator('[data-shows=machine-packet] a').first().click();
  await expect(page).toHaveURL(/[?&]packet=\d+/);
  await inspector.locator('[data-shows=machine-request] a').first().click();
  await expect(page).toHaveURL(/[?&]wr=\d+/);
  await expectAccessible(page);
  const address = page.url();
  await page.keyboard.press('Escape');
  await expect(inspector).toHaveCount(0);
  await expect(page).not.toHaveURL(/[?&]wr=/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // An object that is selected elsewhere is framed here.
  await page.goto(address);
  await expect(qp).toHaveAttribute('aria-pressed', 'true');
  await expect(inspector).toHaveCount(0);

  await machine(page).getByRole('button', { name: 'Show the table behind: Machine' }).click();
  const row = machine(page).locator('tr[data-kind=QP]').first();
  await expect(row).toContainText(/QP \d+.*RTS.*SQ 0 \/ 16/);
});

test('a measuring loop fills its queue as the device sampled it, and the time can be moved', async ({
  page,
}) => {
  await start(page, 'bulk?duration=1&repeat=1&capturePackets=64&transport=rdma');
  await expect(fill(page, 'client', 'QP', 'SQ')).toHaveText(/^\d+ \/ 64$/);
  await expect(machine(page).locator('[data-shows=machine-rate]').first()).toContainText('messages/s');
  await done(page);
  // A finished run shows a moment of the measurement.
  await expect(fill(page, 'client', 'QP', 'SQ')).toHaveText(/^\d+ \/ 64$/);
  const time = machine(page).getByRole('slider', { name: 'Time' });
  await time.focus();
  await page.keyboard.press('Home');
  await expect(node(page, 'client', 'QP')).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(node(page, 'client', 'QP')).toHaveCount(0);
});

test('several clients are folded, and one is opened with the keyboard', async ({ page }) => {
  // A lab with a text shows its run beside it. The run has a page of its own as well.
  await page.goto(`${agent.origin}/labs/srq`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.locator('main [data-state=done]').first()).toBeVisible();
  await page.goto(`${agent.origin}/runs`);
  await page.getByRole('link', { name: 'Shared receive queue' }).first().click();
  await done(page);
  await expect(node(page, 'server', 'SRQ')).toBeVisible();
  await expect(node(page, 'client-4', 'QP')).toHaveCount(0);
  await node(page, 'server', 'process').focus();
  await page.keyboard.press('ArrowDown');
  await expect(node(page, 'server', 'PD')).toBeFocused();
  await page.keyboard.press('End');
  await expect(node(page, 'client-4', 'process')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(node(page, 'client-4', 'QP')).toBeVisible();
  await expect(node(page, 'server', 'SRQ')).toHaveCount(0);
  await expectAccessible(page);
  await keepScreenshots(page, 'machine-srq');
});

test('a program under exec shows its objects and queues', async ({ page }) => {
  const port = 26_000 + (process.pid % 2000);
  const command = ['ibv_rc_pingpong', '-g', '1', '-n', '20', '-p', String(port)];
  const exec = (words: string[]) => execProgram(words, { home: agent.home, address: '127.0.0.47' });
  await page.goto(`${agent.origin}/runs`);
  const server = exec(command);
  const ended = exitOf(server);
  await page.getByRole('link', { name: command.join(' ') }).click();
  const qp = machine(page).locator('[role=button][data-kind=QP]');
  await expect(qp).toContainText('INIT');
  exec([...command, '127.0.0.1']);
  expect(await ended).toBe(0);
  await done(page);
  // Both programs have ended: their runs are one.
  await expect(qp).toHaveCount(2);
  const [own, peer] = [qp.first(), qp.last()];
  await expect(own.locator('[data-shows=machine-state]')).toHaveText('RTS');
  await expect(peer.locator('[data-shows=machine-state]')).toHaveText('RTS');
  await expect(own.locator('[data-queue=SQ] [data-shows=machine-fill]')).toHaveText(/ \/ 1$/);
  await own.click();
  await expect(page.locator('[data-inspector=QP] [data-shows=machine-request]').first()).toContainText(
    'SEND',
  );
});
