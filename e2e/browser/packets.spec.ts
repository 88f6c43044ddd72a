// Work with a capture: open it from a run, from a file and by dropping it; find exceptional packets; keep the place in
// the address.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { verbslab } from '../lib/agent.js';
import { agent, test } from '../lib/agent-test.js';
import { dissect } from '../lib/capture.js';
import { chip, chosen, filterBox, rows } from '../lib/packets-page.js';
import {
  downloadCapture,
  expectAccessible,
  expectRun,
  keepFoldsOpen,
  keepScreenshots,
  signIn,
  state,
} from '../lib/page.js';

let capture: string;

test.describe.configure({ mode: 'serial' });

const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ hasText: new RegExp(`^[\\d,.]+${name}`) })
    .locator('dd');
test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
});

test('the capture of a run opens from its page, and a reload finds it again', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/bulk`);
  await page.getByLabel(/^Duration/).fill('1');
  await page.getByLabel(/^Rounds/).fill('1');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  capture = await downloadCapture(page, 'packets.pcapng');
  await page.getByRole('link', { name: 'Open the capture in Packets' }).click();
  await expect(page).toHaveURL(/\/packets\?run=/);
  const { packets } = dissect(capture);
  await expect(fact(page, 'packets')).toHaveText(packets.toLocaleString('en-GB'));
  await rows(page).locator('[role=row][aria-rowindex="9"]').click();
  await expect(page).toHaveURL(/packet=8$/);
  await page.reload();
  await expect(chosen(page).locator('[role=gridcell]').first()).toHaveText('8');
  await expectAccessible(page);
  await keepScreenshots(page, 'packets-run');
  await page.getByRole('link', { name: /^Run \d+: / }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
});

/** Numbers of the packets that pass a filter, by tshark, which exits with 2 on a truncated file. */
const numbersOf = (path: string, filter: string): number[] =>
  spawnSync('tshark', ['-r', path, '-Y', filter, '-T', 'fields', '-e', 'frame.number'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  })
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map(Number);

/** The capture with a flipped bit in the last packet's payload, so that its ICRC is wrong. */
function damaged(): { path: string; number: number } {
  const bytes = readFileSync(capture);
  const { packets } = dissect(capture);
  let at = 0;
  let last = 0;
  while (at + 12 <= bytes.length) {
    if (bytes.readUInt32LE(at) === 6) last = at;
    at += bytes.readUInt32LE(at + 4);
  }
  const length = bytes.readUInt32LE(last + 20);
  bytes[last + 28 + length - 5]! ^= 1;
  const path = join(agent.home, 'damaged.pcapng');
  writeFileSync(path, bytes);
  return { path, number: packets };
}

test('a file shows what is wrong with it and leads there, and stays while one looks elsewhere', async ({
  page,
}) => {
  const { path, number } = damaged();
  await page.goto(`${agent.origin}/packets`);
  await page.getByLabel('Capture file').setInputFiles(path);
  await expect(fact(page, 'wrong ICRC')).toHaveText('1');
  await expect(chip(page, 'icrc')).toHaveText('1wrong ICRC');
  await chip(page, 'icrc').click();
  await expect(page).toHaveURL(new RegExp(`filter=vl\\.icrc_bad&packet=${number}$`));
  await expect(rows(page)).toHaveAttribute('aria-rowcount', '2');
  await expect(chosen(page)).toContainText('wrong ICRC');
  await expect(page.getByText('its ICRC is wrong').first()).toBeVisible();
  // Pressed once more, it lists all packets again.
  await chip(page, 'icrc').click();
  await expect(page).toHaveURL(new RegExp(`[?]packet=${number}$`));
  await expect(chosen(page)).toBeInViewport();
  await rows(page).press('Home');
  await expect(page).toHaveURL(/packet=1$/);
  // Keys move by pages, by rows and to either end. The selected packet is always in sight.
  await rows(page).press('PageDown');
  await expect(page).toHaveURL(/packet=([2-9]|\d\d)$/);
  const paged = Number(/packet=(\d+)$/.exec(page.url())![1]);
  await rows(page).press('PageDown');
  await expect(page).toHaveURL(new RegExp(`packet=${2 * paged - 1}$`));
  await rows(page).press('ArrowUp');
  await expect(page).toHaveURL(new RegExp(`packet=${2 * paged - 2}$`));
  await rows(page).press('End');
  await expect(page).toHaveURL(new RegExp(`packet=${number}$`));
  await expect(chosen(page)).toBeInViewport();
  await rows(page).press('PageUp');
  await expect(page).toHaveURL(new RegExp(`packet=${number - paged + 1}$`));
  await rows(page).press('Home');
  await expect(page).toHaveURL(/packet=1$/);
  await expect(chosen(page)).toBeInViewport();
  await page.getByRole('link', { name: 'Hosts' }).first().click();
  await expect(page).toHaveURL(/\/hosts$/);
  await page.getByRole('link', { name: 'Packets', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'damaged.pcapng' })).toBeVisible();
});

test('a dropped file opens, one without packets says so and loses nothing, a cut one shows what is whole', async ({
  page,
}) => {
  await page.goto(`${agent.origin}/packets`);
  const drop = async (name: string, content: Buffer) => {
    const data = await page.evaluateHandle(
      ([file, base64]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(base64!), (c) => c.charCodeAt(0))], file!));
        return transfer;
      },
      [name, content.toString('base64')],
    );
    await page.locator('main h1').dispatchEvent('drop', { dataTransfer: data });
  };
  const whole = readFileSync(capture);
  await drop('whole.pcapng', whole);
  await expect(page.getByRole('heading', { name: 'whole.pcapng' })).toBeVisible();
  await drop('notes.txt', Buffer.from('no capture at all'));
  await expect(page.locator('main').getByRole('alert')).toContainText(
    'notes.txt holds no packets that can be read.',
  );
  await expect(page.getByRole('heading', { name: 'whole.pcapng' })).toBeVisible();
  await drop('cut.pcapng', whole.subarray(0, Math.floor(whole.length / 2)));
  const broken = page.getByText(/^The file is damaged at byte [\d,]+, after packet [\d,]+: /);
  await expect(broken).toContainText('The packets before that are shown and diagnosed.');
  // The last packet before the damage, which tshark reads too.
  writeFileSync(join(agent.home, 'cut.pcapng'), whole.subarray(0, Math.floor(whole.length / 2)));
  const last = numbersOf(join(agent.home, 'cut.pcapng'), 'frame').at(-1)!;
  await broken.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`packet=${last}$`));
  await expectAccessible(page);
  await keepScreenshots(page, 'packets-cut');
});

test('a filter lists the packets that tshark lists, completes what is typed, and says what is wrong', async ({
  page,
}) => {
  const { packets } = dissect(capture);
  await page.goto(`${agent.origin}/packets`);
  await page.getByLabel('Capture file').setInputFiles(capture);
  const box = filterBox(page);
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  const state = page.getByRole('status').filter({ hasText: /of [\d,]+ packets/ });
  const total = packets.toLocaleString('en-GB');

  // A few letters and the keys of the list write a filter.
  await box.fill('bth.opc');
  await expect(options).toHaveCount(1);
  await box.press('Tab');
  await expect(box).toHaveValue('infiniband.bth.opcode ');
  await expect(options.filter({ hasText: /^==/ })).toBeVisible();
  await box.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await box.fill('infiniband.bth.opcode == ackn');
  await expect(options.filter({ hasText: /^17 ?RC Acknowledge/ })).toBeVisible();
  await expectAccessible(page);
  await keepScreenshots(page, 'packets-completion');
  await box.press('ArrowDown');
  await box.press('Enter');
  await expect(box).toHaveValue('infiniband.bth.opcode == 17');
  await box.press('Enter');
  await expect(page).toHaveURL(/filter=infiniband\.bth\.opcode\+%3D%3D\+17/);
  const acks = numbersOf(capture, 'infiniband.bth.opcode == 17');
  await expect(state).toHaveText(`${acks.length.toLocaleString('en-GB')} of ${total} packets`);
  await rows(page).press('Home');
  await expect(page).toHaveURL(new RegExp(`packet=${acks[0]}(&|$)`));
  await rows(page).press('End');
  await expect(page).toHaveURL(new RegExp(`packet=${acks.at(-1)}(&|$)`));

  await box.fill('infiniband.bth.opcod == 17');
  await box.press('Enter');
  const alert = page.locator('main').getByRole('alert');
  await expect(alert).toContainText(
    'infiniband.bth.opcod is not a field. Did you mean infiniband.bth.opcode?',
  );
  await expect(alert.locator('mark')).toHaveText('infiniband.bth.opcod');
  await expectAccessible(page);
  await keepScreenshots(page, 'packets-filter');
  await box.fill('ip.src == 203.0.113.7');
  await box.press('Enter');
  await expect(page.getByText('No packets match the filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page).not.toHaveURL(/filter=/);
  await expect(rows(page)).toHaveAttribute('aria-rowcount', String(packets + 1));

  // The value of a field becomes a filter. A field stays chosen from packet to packet.
  await page.getByRole('treeitem', { name: /^Destination queue pair/ }).click();
  await rows(page).press('Home');
  await expect(page).toHaveURL(/packet=1$/);
  await page
    .getByRole('treeitem', { name: /^Destination queue pair/ })
    .getByRole('button', { name: /^Filter/ })
    .click();
  await expect(box).toHaveValue(/^infiniband\.bth\.destqp == \d+$/);
  const same = numbersOf(capture, await box.inputValue());
  await expect(state).toHaveText(`${same.length.toLocaleString('en-GB')} of ${total} packets`);
});

test('a diagnosis leads to packets, a QP and a message, and is that of the command line', async ({
  page,
}) => {
  const path = fileURLToPath(new URL('../../testdata/rxe-write-8pc-loss.pcap', import.meta.url));
  const told = spawnSync(process.execPath, [verbslab, 'decode', path, '--diagnose', '--json'], {
    encoding: 'utf8',
  });
  const { findings } = JSON.parse(told.stdout) as {
    findings: { id: string; text: string; packets: number[] }[];
  };
  expect(findings.length).toBeGreaterThan(5);
  const requests: string[] = [];
  await page.goto(`${agent.origin}/packets`);
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) requests.push(request.url());
  });
  await page.getByLabel('Capture file').setInputFiles(path);
  const details = page.getByRole('button', { name: 'Details', exact: true });
  await details.click();
  const diagnosis = page.getByRole('region', { name: 'Diagnosis' });
  for (const [i, { id, text, packets }] of findings.entries()) {
    const shown = diagnosis.locator('[data-finding]').nth(i);
    await expect(shown).toHaveAttribute('data-finding', id);
    await expect(shown).toContainText(text);
    await expect(shown.getByRole('link').first()).toHaveText(packets[0]!.toLocaleString('en-GB'));
  }
  const nak = diagnosis.locator('[data-finding=nak-sequence]');
  await nak.getByRole('link').first().click();
  const [first] = numbersOf(path, 'infiniband.aeth.syndrome.opcode == 3');
  await expect(page).toHaveURL(new RegExp(`packet=${first}$`));
  await nak.getByText('Why, and what to do').click();
  await expectAccessible(page);
  await keepScreenshots(page, 'packets-diagnosis');

  await page.getByRole('button', { name: 'Hide details' }).click();
  const box = filterBox(page);
  const listed = page.getByRole('status').filter({ hasText: /of [\d,]+ packets/ });
  for (const name of ['Follow message', 'Follow QP']) {
    const before = await box.inputValue();
    await page.getByRole('button', { name }).click();
    await expect(box).not.toHaveValue(before);
    const same = numbersOf(path, await box.inputValue());
    expect(same).toContain(first);
    await expect(listed).toHaveText(new RegExp(`^${same.length.toLocaleString('en-GB')} of `));
  }
  // Nothing of the file left the browser.
  expect(requests).toEqual([]);
});
