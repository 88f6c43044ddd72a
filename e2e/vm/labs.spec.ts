// A browser on the host and two virtual machines: labs on rxe and the embedded device; one machine crashes and is
// restarted.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import { vmsFolder } from '../../apps/agent/src/vms/paths.js';
import { isAlive } from '../../apps/agent/src/vms/process.js';
import { readState } from '../../apps/agent/src/vms/state.js';
import { newHome, removeHome, startAgent, verbslab, type RunningAgent } from '../lib/agent.js';
import { checkIcrc, dissect } from '../lib/capture.js';
import {
  downloadCapture,
  expectAccessible,
  expectRun,
  keepFoldsOpen,
  keepScreenshots,
  state,
} from '../lib/page.js';

/** Home of machines that are up already, and the permission to end them here. */
const kept = process.env['VERBSLAB_VM_HOME'];
const mayEnd = kept === undefined || process.env['VERBSLAB_VM_END'] === '1';
let home: string;
const folder = () => vmsFolder(home);
/** Time limit of a run: emulated processors are slow. */
const RUN = { timeout: 180_000 };

const vms = (...args: string[]) =>
  promisify(execFile)(process.execPath, [verbslab, 'vms', ...args], {
    env: { ...process.env, VERBSLAB_HOME: home },
  });

let agent: RunningAgent;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  home = kept ?? newHome();
  agent = await startAgent(home);
  // Machines that are up keep their form.
  await vms('up', ...(readState(folder()) ? [] : ['--mtu', '4500']));
});
test.afterAll(async () => {
  test.setTimeout(60_000);
  if (mayEnd) await vms('down');
  await agent.stop();
  if (kept === undefined) removeHome(home);
});

const host = (page: Page, name: string) => page.locator(`[data-host=${name}]`);

async function openHosts(page: Page): Promise<void> {
  await page.goto(await agent.link());
  await expect(page.getByText('uroce0').first()).toBeVisible();
  await page.goto(`${agent.origin}/hosts`);
}

async function startBulk(page: Page, server: string, client: string, seconds: number): Promise<void> {
  await page.goto(await agent.link());
  await expect(page.getByText('uroce0').first()).toBeVisible();
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/bulk`);
  await page.getByLabel('Server', { exact: true }).selectOption(server);
  await page.getByLabel('Client', { exact: true }).selectOption(client);
  await page.getByLabel(/^Duration/).fill(String(seconds));
  // Emulated processors take long for each round and each packet of a capture.
  await page.getByLabel(/^Rounds/).fill('1');
  await page.getByLabel(/^Captured packets/).fill('400');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expectRun(page);
}

async function runBulk(page: Page, server: string, client: string): Promise<void> {
  await startBulk(page, server, client, 1);
  await expect(state(page)).toHaveAttribute('data-state', /done|failed|cancelled/, RUN);
  const main = await page.locator('main').innerText();
  expect(await state(page).getAttribute('data-state'), main).toBe('done');
  const head = page.locator('main header').first();
  await expect(head).toContainText(`server on ${server}`);
  await expect(head).toContainText(`client on ${client}`);
  await expect(page.locator('[data-answer]')).toContainText(/TCP .* RDMA |RDMA .* TCP /s);
}

/** Checks a capture with tshark and scapy, which share no code with this project. */
async function expectCapture(page: Page, name: string): Promise<void> {
  const capture = await downloadCapture(page, name);
  const { packets, ...rest } = dissect(capture);
  expect(packets).toBeGreaterThan(100);
  expect(rest).toEqual({ roce: packets, malformed: [] });
  expect(checkIcrc(capture)).toEqual({ packets, wrong: 0 });
}

test('vms up pairs the machines; each offers the kernel’s device and the embedded one', async ({ page }) => {
  await openHosts(page);
  for (const [name, number] of [
    ['a', 1],
    ['b', 2],
  ] as const) {
    await expect(host(page, name)).toHaveAttribute('data-state', 'up');
    await expect(host(page, name)).toContainText(`${name}/rxe0`);
    await expect(host(page, name)).toContainText(`::ffff:10.91.0.${number}`);
    await expect(host(page, name)).toContainText(`${name}/uroce0`);
    await expect(host(page, name)).toContainText(`::ffff:10.91.0.10${number}`);
    await expect(host(page, name)).toContainText(/Clock offset.*±/);
  }
  await expectAccessible(page);
  await keepScreenshots(page, 'vm-hosts');
});

test('loss and delay of the page are those of the machines’ links, until the run ends', async ({ page }) => {
  await page.goto(await agent.link());
  await expect(page.getByText('uroce0').first()).toBeVisible();
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByLabel('Server', { exact: true }).selectOption('a/rxe0');
  await page.getByLabel('Client', { exact: true }).selectOption('b/rxe0');
  await page.getByRole('button', { name: 'Step by step', exact: true }).click();
  await expectRun(page);
  const section = page.getByRole('region', { name: 'Loss and delay' });
  // Both endpoints are open by then. Emulated machines take a while for that.
  await expect(state(page)).toHaveAttribute('data-state', 'running', RUN);
  await expect(section).toContainText('none injected', RUN);
  await page.keyboard.press('i');
  const delay = section.getByRole('slider', { name: 'Delay' });
  await delay.fill('11');
  await expect(delay).toHaveAttribute('aria-valuetext', '20 ms');
  await expect(section.locator('h2')).toContainText('20 ms delay');
  const links = async () => (await vms('status')).stdout.match(/netem delay 20ms/g)?.length ?? 0;
  await expect.poll(links, RUN).toBe(2);
  await section.getByRole('button', { name: 'Add rule' }).click();
  await expect(section.getByRole('alert')).toContainText('has no rules');
  await page.keyboard.press('a');
  await expect(state(page)).toHaveAttribute('data-state', 'done', RUN);
  await expect(section.locator('h2')).toContainText('settings changed once');
  expect(await links()).toBe(0);
});

test('bulk runs from rxe to rxe, with what passed the interface as capture', async ({ page }) => {
  await runBulk(page, 'a/rxe0', 'b/rxe0');
  await expectAccessible(page);
  await keepScreenshots(page, 'vm-bulk-rxe-rxe');
  await expectCapture(page, 'vm-rxe-rxe.pcapng');
});

test('bulk runs from the embedded device to rxe, with a capture that outsiders accept', async ({ page }) => {
  await runBulk(page, 'a/rxe0', 'b/uroce0');
  await expectAccessible(page);
  await keepScreenshots(page, 'vm-bulk-uroce-rxe');
  await expectCapture(page, 'vm-uroce-rxe.pcapng');
});

test('bulk runs from rxe to the embedded device', async ({ page }) => {
  await runBulk(page, 'a/uroce0', 'b/rxe0');
});

test('a machine that crashes during a run fails the run with its name and last console lines; the history is kept', async ({
  page,
}) => {
  await startBulk(page, 'b/rxe0', 'a/rxe0', 60);
  await expect(state(page)).toHaveAttribute('data-state', 'running', RUN);
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /[1-9]/, RUN);
  const panic = 'echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger';
  // The command ends with the machine, with any output.
  spawn(process.execPath, [verbslab, 'vms', 'ssh', 'b', '--', 'sh', '-c', panic], {
    env: { ...process.env, VERBSLAB_HOME: home },
    stdio: 'ignore',
  });
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  const alert = page.locator('main header').first().getByRole('alert');
  await expect(alert).toContainText('The virtual machine “b” crashed, which ended the endpoint “server”');
  await expect(alert).toContainText('npx verbslab vms up');
  await expectAccessible(page);
  await keepScreenshots(page, 'vm-run-crashed');

  await page.goto(`${agent.origin}/runs`);
  await expect(page.locator('main [data-state=failed]').first()).toBeVisible();
  const done = page.getByRole('row').filter({ has: page.locator('[data-state=done]') });
  await done.first().getByRole('link').first().click();
  await expect(page.locator('[data-answer]')).toContainText(/TCP .* RDMA |RDMA .* TCP /s);
});

test('the crashed machine is shown with its last console lines, and a start from the page brings it back without a reload', async ({
  page,
}) => {
  await openHosts(page);
  await expect(host(page, 'b')).toHaveAttribute('data-state', 'down');
  await expect(host(page, 'b').getByRole('status')).toHaveText('crashed');
  const alert = host(page, 'b').getByRole('alert');
  await expect(alert).toContainText('The virtual machine “b” has crashed');
  await expect(alert).toContainText('npx verbslab vms up');
  await expect(alert.getByText(/Kernel panic/)).toBeVisible();
  await expect(host(page, 'a')).toHaveAttribute('data-state', 'up');
  await expectAccessible(page);
  await keepScreenshots(page, 'vm-hosts-crashed');

  await page.evaluate(() => ((window as unknown as { same: boolean }).same = true));
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByRole('button', { name: 'Start two machines' }).click();
  const work = page.locator('[data-machines=up]');
  await expect(work.locator('[data-machine=b]')).toBeVisible();
  await expect(work).toHaveAttribute('data-state', 'done', RUN);
  await expect(work.locator('[data-machine]')).toHaveCount(1);
  await page.goBack();
  await expect(host(page, 'b')).toHaveAttribute('data-state', 'up');
  await expect(host(page, 'b')).toContainText('b/rxe0');
  await expect(alert).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { same?: boolean }).same)).toBe(true);
  await expectAccessible(page);
  await keepScreenshots(page, 'vm-hosts-healed');
  await runBulk(page, 'b/rxe0', 'a/uroce0');
});

test('stopping the machines removes the machines and their hosts', async ({ page }) => {
  test.skip(!mayEnd, 'the machines are to stay');
  await openHosts(page);
  await expect(host(page, 'a')).toBeVisible();
  const machines = readState(folder())?.vms ?? [];
  expect(machines.map(isAlive)).toEqual([true, true]);
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByRole('button', { name: 'Stop the machines' }).click();
  await expect(page.locator('[data-machines=down]')).toHaveAttribute('data-state', 'done', RUN);
  expect(machines.map(isAlive)).toEqual([false, false]);
  expect(existsSync(folder().path)).toBe(false);
  await page.goBack();
  await expect(page.getByText('No other agent is paired yet.')).toBeVisible();
});
