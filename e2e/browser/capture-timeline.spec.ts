// A capture on its axis of time, and files that are larger than the part that a page keeps in memory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { buildPacket, LinkType, reth, writePcap } from '@verbslab/roce';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, keepScreenshots, signIn } from '../lib/page.js';

const timeline = (page: Page) => page.locator('[data-timeline]');
const grid = (page: Page) => page.getByRole('grid', { name: /^Packets/ });
const fact = (page: Page, name: RegExp) => page.locator('dl > div').filter({ hasText: name }).locator('dd');
const view = (page: Page, name: 'List' | 'Timeline') =>
  page.getByRole('group', { name: 'View of the packets' }).getByRole('button', { name });

async function open(page: Page, path: string): Promise<void> {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/packets`);
  await page.getByLabel('Capture file').setInputFiles(path);
  await expect(grid(page)).toBeVisible();
}

test('a ladder and PSNs show every packet, and lead to it in the list', async ({ page }) => {
  await open(page, fileURLToPath(new URL('../../testdata/rxe-write-8pc-loss.pcap', import.meta.url)));
  await view(page, 'Timeline').click();
  await expect(page).toHaveURL(/[?&]view=timeline/);
  await expect(page.locator('[data-track-kind=ladder]')).toHaveCount(1);
  await expect(page.locator('[data-track-kind=psn]')).not.toHaveCount(0);

  // The tracks hold the packets that the diagnosis counted.
  await timeline(page).focus();
  await page.keyboard.press('t');
  const counted = (what: RegExp) =>
    page
      .locator('[data-area-table]')
      .getByRole('row')
      .filter({ hasText: /^Packets/ })
      .filter({ hasText: what })
      .getByRole('cell')
      .nth(2);
  await expect(counted(/retransmitted/)).toHaveText(
    (await fact(page, /^[\d,]+retransmitted/).textContent())!,
  );
  await expect(counted(/ACKs/)).toHaveText((await fact(page, /^[\d,]+ACKs?$/).textContent())!);
  await expect(counted(/NAKs and RNR/)).toHaveText((await fact(page, /^[\d,]+NAKs?$/).textContent())!);
  await page.keyboard.press('t');

  // Keys choose a packet; the list then shows its bytes.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/[?&]packet=1(&|$)/);
  const selection = page.locator('[data-selection=packet]');
  await expect(selection).toContainText('Packet 1:');
  await expectAccessible(page);
  await keepScreenshots(page, 'capture-timeline');
  await page.keyboard.press('f');
  await expect(page).toHaveURL(/[?&]to=\d+/);
  await page.keyboard.press('Home');
  await expect(page).not.toHaveURL(/[?&]to=\d+/);
  await selection.getByRole('button', { name: 'Show its headers and bytes' }).click();
  await expect(page).not.toHaveURL(/view=timeline/);
  await expect(grid(page).locator('[role=row][aria-selected=true]')).toHaveAttribute('aria-rowindex', '2');
});

test('of a large file the parts that are shown are read', async ({ page }) => {
  const payload = new Uint8Array(60_000);
  const packets = 1200;
  const records = Array.from({ length: packets }, (_, i) => ({
    timeNs: 1_700_000_000_000_000_000n + BigInt(i) * 1000n,
    data: buildPacket({
      src: '10.0.0.1',
      dst: '10.0.0.2',
      bth: { opcode: 0x0a, destQp: 0x22, psn: i },
      headers: [reth.bytes({ va: 0n, rkey: 1, dmaLength: payload.length })],
      payload,
    }),
  }));
  const path = join(agent.home, 'large.pcap');
  writeFileSync(path, writePcap(LinkType.RAW, records));
  await open(page, path);
  await expect(fact(page, /^[\d,]+RoCE$/)).toHaveText('1,200');
  await expect(
    grid(page)
      .getByText(/WRITE Only/)
      .first(),
  ).toBeVisible();
  await grid(page).focus();
  await page.keyboard.press('End');
  const last = grid(page).locator('[role=row][aria-selected=true]');
  await expect(last).toContainText('1199');
  await expect(page.getByText('ICRC')).not.toHaveCount(0);
  const filter = page.getByRole('combobox', { name: /filter/i });
  await filter.fill('infiniband.bth.psn >= 1190');
  await filter.press('Enter');
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '11');
  await view(page, 'Timeline').click();
  await expect(page.getByText('The filter applies to the list')).toBeVisible();
  await expect(page.locator('[data-track-kind=ladder]')).toHaveCount(1);
});
