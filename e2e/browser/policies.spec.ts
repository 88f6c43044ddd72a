// Policies of queue pairs: a sender under DCQCN whose packets are marked, on the page of its run; and a page without them.
import { expect } from '@playwright/test';
import { ROADS } from '../audit/audit.js';
import { Claim } from '../audit/claim.js';
import { contentOf } from '../audit/collect.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun, itemsOf } from '../audit/export.js';
import { agent, test } from '../lib/agent-test.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { expectAccessible, keepScreenshots, runIdOf, signIn, state } from '../lib/page.js';
import { installed, listening, nextPort } from '../stock/run.js';

const ADDRESS = '127.0.0.50';
const STATEMENTS = ['policy', 'policy-allowed', 'policy-cnps', 'policy-marks'];

test.beforeEach(({ page }) => signIn(page, agent));

test('a sender under DCQCN shows its policy, and how its rate falls and returns', async ({ page }) => {
  test.skip(!installed('ib_send_bw'), 'needs perftest');
  const port = nextPort();
  const command = ['ib_send_bw', '-F', '-x', '1', '-s', '65536', '-e', '-n', '3000', '-p', String(port)];
  const policy = ['--congestion', 'dcqcn-nic', '--line-rate', '10'];
  const options = { home: agent.home, address: ADDRESS };
  await page.goto(`${agent.origin}/runs`);
  const server = execProgram(command, { ...options, options: ['--no-agent', ...policy] });
  await expect.poll(() => listening(port), { intervals: [50] }).toBe(true);
  const faults = ['--faults', 'rate=400mbit,mark=5%', '--faults', 'at=2s,rate=400mbit'];
  const client = execProgram([...command, '127.0.0.1'], { ...options, options: [...policy, ...faults] });
  try {
    await page.getByRole('link', { name: [...command, '127.0.0.1'].join(' ') }).click();
    const panel = page.locator('[data-panel=policies]');
    // It comes with the first sample, while the program runs.
    await expect(panel.locator('[data-shows=policy]')).toHaveText('DCQCN (NIC)', { timeout: 60_000 });
    await expect(state(page)).toHaveAttribute('data-state', 'done', { timeout: 300_000 });
    await panel.scrollIntoViewIfNeeded();
    await expect(panel.locator('[data-shows=policy-cnps]')).toHaveText(/^[1-9]/);
    for (const title of ['Rate and target rate', 'Alpha'])
      await expect(panel.getByRole('application', { name: new RegExp(`^${title} of QP`) })).toBeVisible();
    await expect(page.locator('main header [data-shows=policy] button')).toHaveText('DCQCN (NIC)');
    const data = await exportRun(page, runIdOf(page));
    const rates = itemsOf(data, 'policies').flatMap(({ qps }) => qps.map(({ rate }) => rate ?? 10e9));
    expect(Math.min(...rates)).toBeLessThan(10e9);
    const { shown } = await contentOf(page);
    const told = shown.filter(({ name }) => STATEMENTS.includes(name));
    const evidence = new Evidence(data, null, {});
    for (const one of told) ROADS[one.name]!(new Claim('Run page of a sender under DCQCN', one), evidence);
    expect([...new Set(told.map(({ name }) => name))].toSorted()).toEqual(STATEMENTS.toSorted());
    await expectAccessible(page);
    await keepScreenshots(page, 'policies');
    await page.setViewportSize({ width: 390, height: 844 });
    const drawn = panel.getByRole('application').first();
    await expect.poll(async () => (await drawn.boundingBox())?.height ?? 0).toBeGreaterThan(80);
    await page.setViewportSize({ width: 1440, height: 900 });
    await panel.getByRole('button', { name: /^Show the table/ }).click();
    await expect(panel.locator('[data-shows=policy-series] tbody tr').nth(2)).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  } finally {
    for (const child of [client, server]) {
      child.kill('SIGTERM');
      await exitOf(child);
    }
  }
});

test('a program whose queue pairs have the default policy has neither panel nor badge', async ({ page }) => {
  test.skip(!installed('ibv_rc_pingpong'), 'needs ibv_rc_pingpong');
  const port = nextPort();
  const command = ['ibv_rc_pingpong', '-g', '1', '-n', '50', '-p', String(port)];
  const options = { home: agent.home, address: ADDRESS };
  await page.goto(`${agent.origin}/runs`);
  const server = execProgram(command, options);
  await expect.poll(() => listening(port), { intervals: [50] }).toBe(true);
  const client = execProgram([...command, '127.0.0.1'], { ...options, options: ['--no-agent'] });
  expect([await exitOf(server), await exitOf(client)]).toEqual([0, 0]);
  await page.getByRole('link', { name: command.join(' '), exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.locator('[data-panel=queues]')).toBeAttached();
  await expect(page.locator('[data-panel=policies], [data-shows=policy]')).toHaveCount(0);
});
