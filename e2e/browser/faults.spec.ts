// Loss and delay, set on the page during a run: their effect on the packets, and the record that the run keeps.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { verbslab } from '../lib/agent.js';
import { agent, test } from '../lib/agent-test.js';
import {
  expectAccessible,
  expectRun,
  keepFoldsOpen,
  keepScreenshots,
  runIdOf,
  signIn,
  state,
} from '../lib/page.js';

interface Event {
  kind: string;
  endpoint?: string;
  posted: number;
  acked: number | null;
}

/** Stream of the run that the page shows. */
async function events(page: Page): Promise<Event[]> {
  const id = runIdOf(page);
  const answer = await page.request.get(`${agent.origin}/api/runs/${id}.json`);
  return ((await answer.json()) as { events: Event[] }).events;
}

/** `verbslab faults` of this run. */
async function faults(page: Page, ...words: string[]): Promise<void> {
  const id = runIdOf(page);
  await promisify(execFile)(process.execPath, [verbslab, 'faults', id, ...words], {
    env: { ...process.env, VERBSLAB_HOME: agent.home },
  });
}

const section = (page: Page) => page.getByRole('region', { name: 'Loss and delay' });

test('packets are delayed by a slider and lost by a rule, and the run tells how to do it again', async ({
  page,
}) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Step by step', exact: true }).click();
  await expectRun(page);
  await expect(section(page)).toContainText('none injected');
  await page.keyboard.press('i');
  const delay = section(page).getByRole('slider', { name: 'Delay' });
  // Raising the jitter raises the delay, and lowering the delay lowers the jitter.
  await section(page).getByRole('slider', { name: 'Jitter' }).press('End');
  await expect(delay).toHaveAttribute('aria-valuetext', '500 ms');
  await delay.fill('11');
  await expect(delay).toHaveAttribute('aria-valuetext', '20 ms');
  await section(page).getByRole('slider', { name: 'Jitter' }).press('Home');
  // Both: what is asked for while endpoints differ begins with nothing.
  await expect(section(page).locator('h2')).toHaveText(/^Loss and delay\s*20 ms delay/);

  const opcode = section(page).getByRole('combobox', { name: 'BTH opcode' });
  await opcode.fill('WRITE');
  await section(page).getByRole('button', { name: 'Add rule' }).click();
  await expect(section(page).getByRole('alert')).toContainText(
    '“opcode=WRITE” is not valid. Give a whole number',
  );
  // The last packet of the WRITE.
  await opcode.fill('0x08');
  await section(page).getByRole('button', { name: 'Add rule' }).click();
  await expect(section(page).getByRole('listitem')).toHaveText('drop opcode 0x08, once');
  await expect(section(page).locator('h2')).toContainText('20 ms delay, drop opcode 0x08, once');
  // The page shows settings from a terminal, so moving another slider must not undo them.
  await faults(
    page,
    'delay=20ms,loss=0.01%,seed=7',
    '--endpoint',
    'server',
    '--rule',
    'drop:opcode=0x08,times=1',
  );
  await expect(section(page)).toContainText('endpoints have different settings');
  const sender = section(page).getByRole('combobox', { name: 'Packets sent by' });
  await sender.selectOption('server');
  await expect(section(page).getByRole('slider', { name: 'Loss' })).toHaveAttribute(
    'aria-valuetext',
    '0.01 %',
  );
  await expect(section(page).getByRole('spinbutton', { name: 'Seed' })).toHaveValue('7');
  await section(page).getByRole('slider', { name: 'Loss' }).press('Home');
  await expect(section(page).locator('h2')).toHaveText(/20 ms delay, drop opcode 0x08, once/);
  await sender.selectOption('all endpoints');
  await expect(delay).toHaveAttribute('aria-valuetext', '20 ms');
  await expectAccessible(page);
  await keepScreenshots(page, 'faults-controls');

  await delay.focus();
  await page.keyboard.press('a');
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const stream = await events(page);
  const trips = stream.flatMap((e) => (e.kind === 'wr' && e.acked !== null ? [e.acked - e.posted] : []));
  expect(trips.length).toBeGreaterThan(0);
  for (const ns of trips) expect(ns).toBeGreaterThanOrEqual(2 * 20e6);
  const injected = stream.filter(({ kind }) => kind === 'faults');
  expect(new Set(injected.map(({ endpoint }) => endpoint))).toEqual(new Set(['client', 'server']));
  // Keys that follow each other fast may reach one endpoint as several changes and the other as one.
  const changes = ['client', 'server'].map(
    (name) => injected.filter(({ endpoint }) => endpoint === name).length,
  );
  await expect(section(page).locator('h2')).toContainText(`settings changed ${Math.max(...changes)} times`);
  // An open section stays open and shows the injected faults.
  await expect(section(page).getByRole('row')).toHaveCount(1 + injected.length);
  await expect(section(page)).toContainText(/verbslab run minimal-flow --replay-faults \d+/);
  // The timeline loads when it scrolls into view.
  await page.locator('#timeline').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-track="faults client"], [data-track="faults server"]')).toHaveCount(2);
  await expectAccessible(page);
  await keepScreenshots(page, 'faults-injected');
});
