// A simulated lab on its page: no device to choose, the answer, and the panel of its fabric. A run of `verbslab sim`:
// live, cancelled on its page, and done.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { Evidence } from '../audit/evidence.js';
import { exportRun } from '../audit/export.js';
import { auditViews } from '../audit/views.js';
import { agent, test } from '../lib/agent-test.js';
import { verbslab } from '../lib/agent.js';
import { exitOf } from '../lib/exec.js';
import { expectAccessible, keepFoldsOpen, keepScreenshots, runIdOf, signIn, state } from '../lib/page.js';

test('the go-back-0 livelock: predicted, run, answered, and shown over virtual time', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/go-back-0-livelock`);
  await expect(page.locator('main [data-provider=simulated]').first()).toBeVisible();
  await expect(page.getByText('all endpoints on this host')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Endpoints', exact: true })).toHaveCount(0);
  await page.getByLabel('Full', { exact: true }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');

  await expect(page.getByText(/Go-back-0 restarts a message of 4 MiB/).first()).toBeVisible();
  const panel = page.locator('[data-panel=fabric]');
  await panel.scrollIntoViewIfNeeded();
  await expect(panel.locator('[data-provider=simulated]').first()).toBeVisible();
  await expect(panel.getByText(/All times are virtual: 4,000 µs were simulated/)).toBeVisible();
  await expect(panel.getByRole('combobox', { name: 'Simulation' })).toHaveValue('17');
  await expect(panel.locator('[data-line]').first()).toBeVisible();
  await expect(panel.locator('[data-mechanism=timeout][data-shows=fabric-fired]')).toHaveText('never');
  await panel.getByRole('combobox', { name: 'Simulation' }).selectOption('Go-back-0, 4 MiB');
  await expect(panel.locator('[data-shows=fabric-figure]').first()).toHaveText('0');
  await keepScreenshots(page, 'fabric-lab');

  // Each simulation has a virtual time of its own: nothing stands on the axis of the run.
  await expect(page.getByRole('button', { name: /^Timeline/ })).toHaveCount(0);

  const evidence = new Evidence(await exportRun(page, runIdOf(page)), null);
  const parts = ['of', 'samples', 'figure', 'fired', 'says', 'series'].map((name) => `fabric-${name}`);
  await auditViews(page, 'the lab of the livelock', evidence, [
    ...parts,
    ...[
      'answer',
      'parameters',
      'provider',
      'result-figure',
      'result-table',
      'result-curve',
      'result-measured',
    ],
    ...['live-figure', 'live-param', 'check', 'checks-passed'],
  ]);
  await expectAccessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  const choice = panel.getByRole('combobox', { name: 'Simulation' });
  const [name, box] = [
    await panel.getByText('Simulation', { exact: true }).boundingBox(),
    await choice.boundingBox(),
  ];
  expect(name!.x + name!.width).toBeLessThanOrEqual(box!.x);
});

const sim = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [verbslab, 'sim', ...args], {
    env: { ...process.env, VERBSLAB_HOME: agent.home },
    stdio: 'ignore',
  });

test('a run of verbslab sim: followed live, cancelled, listed, and run again', async ({ page }) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/runs`);
  // Nothing ends it but the button.
  const endless = sim('loss', '--set', 'duration_us=100000000', '--set', 'sample_us=1000');
  await page.getByRole('link', { name: 'Simulation: loss' }).first().click();
  await expect(state(page)).toHaveAttribute('data-state', 'running');
  const panel = page.locator('[data-panel=fabric]');
  await expect(panel.getByText(/Simulated so far: [\d,]+ µs of virtual time/)).toBeVisible();
  await expect(panel.locator('[data-line]').first()).toBeVisible();
  await expect(page.getByText(/ of 100,000,000 µs of virtual time, [\d,]+ packet events\/s/)).toBeVisible();
  const before = await panel.locator('[data-shows=fabric-samples]').textContent();
  await expect(panel.locator('[data-shows=fabric-samples]')).not.toHaveText(before!);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'cancelled');
  expect(await exitOf(endless)).toBe(130);
  await expect(panel.getByText('The simulation was cancelled, so it has no result.')).toBeVisible();
  await expect(panel.locator('[data-line]').first()).toBeVisible();

  expect(await exitOf(sim('incast', '--set', 'hosts=9', '--seed', '7'))).toBe(0);
  await page.goto(`${agent.origin}/runs`);
  const row = page.locator('[data-run]').filter({ hasText: 'Simulation: incast' });
  await expect(row.getByText('Goodput, all hosts').first()).toBeVisible();
  await row.getByRole('link', { name: 'Simulation: incast' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.getByText('npx verbslab sim incast --set topology.hosts=9 --seed 7')).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the scenario' }).click();
  const scenario: unknown = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
  expect(scenario).toMatchObject({ name: 'incast', seed: 7, topology: { hosts: 9 } });
  await expect(panel.locator('[data-mechanism=pfc][data-shows=fabric-fired]')).toBeVisible();
  const evidence = new Evidence(await exportRun(page, runIdOf(page)), null);
  await auditViews(page, 'the run of a simulation', evidence, [
    'simulation-title',
    'simulation-answer',
    'sim-command',
    'fabric-figure',
    'result-figure',
  ]);
  await keepScreenshots(page, 'simulation-run');
  await expectAccessible(page);
});
