// Many QPs: each kind of queue as a strip, at the moment of the run with the most QPs, and the queues that a sample leaves out.
import { expect, type Page } from '@playwright/test';
import { ROADS } from '../audit/audit.js';
import { Claim } from '../audit/claim.js';
import { contentOf } from '../audit/collect.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun } from '../audit/export.js';
import { readWire } from '../audit/wire.js';
import { agent, test } from '../lib/agent-test.js';
import { execProgram, exitOf } from '../lib/exec.js';
import { downloadCapture, expectAccessible, keepScreenshots, runIdOf, signIn, state } from '../lib/page.js';
import { installed } from '../stock/run.js';

const ADDRESS = '127.0.0.49';

test.beforeEach(({ page }) => signIn(page, agent));

/** Number of the strips that stick out of the box around them. */
const sticking = (page: Page): Promise<number> =>
  page
    .locator('[data-strips] svg')
    .evaluateAll(
      (all) =>
        all.filter(
          (svg) => svg.getBoundingClientRect().right > svg.parentElement!.getBoundingClientRect().right + 1,
        ).length,
    );

for (const [qps, group] of [
  [64, 1],
  [256, 4],
] as const)
  test(`a program with ${qps} QPs has strips with ${qps / group} columns`, async ({ page }) => {
    test.skip(!installed('ib_write_bw'), 'needs perftest');
    const port = String(27_000 + (process.pid % 2000) + qps);
    const command = [
      'ib_write_bw',
      '-x',
      '1',
      '-q',
      String(qps),
      '-t',
      '16',
      '-s',
      '4096',
      '-D',
      '3',
      '-p',
      port,
    ];
    await page.goto(`${agent.origin}/runs`);
    const options = { home: agent.home, address: ADDRESS };
    const server = execProgram(command, options);
    const ended = exitOf(server);
    await page.getByRole('link', { name: command.join(' ') }).click();
    const objects = page.locator('[data-panel=objects] [data-objects]');
    // perftest listens before it makes its QPs, and the client connects as soon as it listens.
    await expect(objects).toHaveAttribute('data-objects', /^[1-9]/);
    const client = execProgram([...command, '127.0.0.1'], { ...options, options: ['--no-agent'] });
    try {
      await expect(state(page)).toHaveAttribute('data-state', 'done', { timeout: 300_000 });
    } finally {
      client.kill('SIGTERM');
      server.kill('SIGTERM');
      await Promise.all([ended, exitOf(client)]);
    }
    const time = page.locator('[data-panel=machine]').getByRole('slider', { name: 'Time' });
    await time.scrollIntoViewIfNeeded();
    const strips = page.locator('[data-panel=machine] [data-strips]');
    await expect(strips).toHaveCount(1);
    await expect(strips.locator('[data-shows=qps-words]')).toContainText(`${qps} QPs: `);
    for (const queue of ['SQ', 'RQ', 'CQ'])
      await expect(strips.locator(`[data-strip=${queue}]`)).toHaveAttribute(
        'data-columns',
        String(qps / group),
      );
    await expect(strips).toContainText(group === 1 ? 'a column is a QP' : `a column is ${group} QPs`);
    expect(await sticking(page)).toBe(0);
    const grouped = page.locator('[data-panel=queues] [data-shows=queues-grouped]');
    // The last sample with a queue may have come while perftest destroyed its QPs, one after another.
    await expect(grouped.first()).toHaveText(/^\d+ SQs with [\d,]+ \/ [\d,]+$/);
    expect(Number.parseInt(await grouped.first().innerText())).toBeLessThanOrEqual(qps - 16);
    const wire = readWire(await downloadCapture(page, `strips-${qps}.pcapng`));
    const evidence = new Evidence(await exportRun(page, runIdOf(page)), wire);
    const { shown } = await contentOf(page);
    const told = shown.filter(({ name }) => /^(qps-words|strips-.*|queues-grouped)$/.test(name));
    for (const one of told) ROADS[one.name]!(new Claim(`Run page of ${qps} QPs`, one), evidence);
    expect(told.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['qps-words', 'strips-left-out', 'queues-grouped']),
    );
    await expectAccessible(page);
    await keepScreenshots(page, `strips-${qps}`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expect.poll(() => sticking(page)).toBe(0);
  });
