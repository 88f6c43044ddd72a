// The Packets page as a tool: samples, panes, fields as filters, graphs. The captures are the samples of the product.
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { chip, chosen, filterBox, rows } from '../lib/packets-page.js';
import { expectAccessible, keepScreenshots, signIn } from '../lib/page.js';

const separator = (page: Page, name: string) => page.getByRole('separator', { name });

test.beforeEach(({ page }) => signIn(page, agent));

test('a sample opens from the empty page, and its NAK shows its code', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${agent.origin}/packets`);
  await expect(page.getByRole('region', { name: 'Captures of runs' })).toContainText('No run on this agent');
  await expectAccessible(page);
  await page
    .getByRole('region', { name: 'Sample captures' })
    .getByRole('link', { name: /A WRITE that loses a packet/ })
    .click();
  await expect(page).toHaveURL(/[?]sample=write-lost$/);
  await expect(page.getByRole('heading', { name: 'A WRITE that loses a packet' })).toBeVisible();
  await expect(chip(page, 'mtu')).toHaveCount(0);

  // Twenty packets are in sight beside the graphs, each of 24 pixels.
  const whole = await rows(page).evaluate((grid) => {
    const { top, bottom } = grid.getBoundingClientRect();
    const boxes = [...grid.querySelectorAll('[role=row][aria-rowindex]')].map((row) =>
      row.getBoundingClientRect(),
    );
    return boxes.filter((box) => box.top >= top + 24 && box.bottom <= bottom && box.height === 24).length;
  });
  expect(whole).toBeGreaterThanOrEqual(20);

  await chip(page, 'nak-sequence').click();
  await expect(rows(page)).toHaveAttribute('aria-rowcount', '2');
  await expect(chosen(page)).toContainText('NAK: PSN sequence error');
  const syndrome = page.getByRole('treeitem', { name: /^Syndrome/ });
  await expect(syndrome).toContainText('NAK: PSN sequence error');
  await expect(syndrome).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await keepScreenshots(page, 'packets-sample');
  await page.reload();
  await expect(chosen(page)).toContainText('NAK: PSN sequence error');
  await page.getByRole('button', { name: 'Close the capture' }).click();
  await expect(page.getByRole('heading', { name: 'Packets', exact: true })).toBeVisible();
});

test('a field becomes a filter by a click and by keys, alone, besides and excluded', async ({ page }) => {
  await page.goto(`${agent.origin}/packets?sample=write-lost&packet=1`);
  const field = (name: RegExp) => page.getByRole('treeitem', { name });
  const press = async (name: RegExp, key: string) => {
    await field(name).click();
    await page.keyboard.press(key);
  };
  const box = filterBox(page);
  await field(/^Opcode/).hover();
  await field(/^Opcode/)
    .getByRole('button', { name: /^Filter: infiniband\.bth\.opcode == 6/ })
    .click();
  await expect(box).toHaveValue('infiniband.bth.opcode == 6');
  await expect(chosen(page)).toBeVisible();
  await press(/^Destination queue pair/, 'Shift+Enter');
  await expect(box).toHaveValue(/^infiniband\.bth\.opcode == 6 && infiniband\.bth\.destqp == \d+$/);
  await press(/^Packet sequence number/, 'Enter');
  await expect(box).toHaveValue(/^infiniband\.bth\.psn == \d+$/);
  await box.fill('vl.retransmission');
  await box.press('Enter');
  await press(/^Opcode/, 'Alt+Enter');
  await expect(box).toHaveValue('vl.retransmission && !(infiniband.bth.opcode == 6)');
  await page
    .getByRole('group', { name: /^Filter by infiniband\.bth\.opcode/ })
    .getByRole('button', { name: 'Filter' })
    .click();
  await expect(box).toHaveValue('infiniband.bth.opcode == 6');

  // PSNs count from the first request; the number in the packet is one press away.
  const psn = rows(page).locator('[aria-rowindex="2"] [role=gridcell]').nth(6);
  await expect(psn).toHaveText('+0');
  await expect(rows(page).locator('[aria-rowindex="2"] [role=gridcell]').nth(4)).toHaveText('A→B');
  await page.getByRole('button', { name: 'Relative PSN' }).click();
  await expect(psn).toHaveText(/^\d+$/);
  await page.getByRole('button', { name: 'Relative PSN' }).click();
  await page.getByRole('button', { name: 'Δ time' }).click();
  await expect(rows(page).getByRole('columnheader', { name: 'Δ time, s' })).toBeVisible();
});

test('panes are resized by keys, and keep their sizes', async ({ page }) => {
  await page.goto(`${agent.origin}/packets?sample=write-lost&packet=1`);
  const width = () => rows(page).evaluate((grid) => grid.clientWidth);
  const list = separator(page, 'List and packet');
  await expect(list).toHaveAttribute('aria-valuenow', '66');
  const before = await width();
  await list.press('ArrowLeft');
  await list.press('Shift+ArrowLeft');
  await expect(list).toHaveAttribute('aria-valuenow', '54');
  await expect.poll(width).toBeLessThan(before);
  await separator(page, 'Fields and bytes').press('End');
  await separator(page, 'Graphs and list').press('ArrowDown');
  await page.reload();
  await expect(list).toHaveAttribute('aria-valuenow', '54');
  await expect(separator(page, 'Fields and bytes')).toHaveAttribute('aria-valuenow', '85');
  await expect(separator(page, 'Graphs and list')).toHaveAttribute('aria-valuenow', '26');
  await list.press('Enter');
  await expect(list).toHaveAttribute('aria-valuenow', '66');
});

test('graphs count packets by filters of their own, and lead to the list', async ({ page }) => {
  await page.goto(`${agent.origin}/packets?sample=write-lost`);
  const graphs = page.getByRole('region', { name: 'Graphs' });
  const plot = graphs.getByRole('application', { name: /^Packets over time/ });
  await expect(graphs.locator('.recharts-line')).toHaveCount(3);
  await graphs.getByRole('button', { name: 'Curve 2' }).click();
  await expect(graphs.locator('.recharts-line')).toHaveCount(2);
  const fourth = graphs.getByRole('textbox', { name: 'Filter of curve 4' });
  await fourth.fill('infiniband.bth.opcod == 17');
  await fourth.press('Enter');
  await expect(fourth).toHaveAttribute('aria-invalid', 'true');
  await fourth.fill('infiniband.bth.opcode == 17');
  await fourth.press('Enter');
  await expect(fourth).toHaveAttribute('aria-invalid', 'false');
  await expect(graphs.locator('.recharts-line')).toHaveCount(3);

  // The last packets: a key chooses the first of them, a drag lists them.
  await plot.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(chosen(page)).toBeVisible();
  const { x, y, width, height } = (await plot.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 2, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(filterBox(page)).toHaveValue(
    /^frame\.time_relative >= [\d.]+ && frame\.time_relative < [\d.]+$/,
  );
  await expect(page.getByRole('status').filter({ hasText: /^\d+ of 29 packets$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filter' }).click();

  // The table behind it has the same packets.
  await page.locator('main h1').click();
  await page.keyboard.press('t');
  const table = graphs.getByRole('table');
  const counted = await table.locator('tbody td:nth-child(2)').allTextContents();
  expect(counted.reduce((sum, text) => sum + Number(text), 0)).toBe(29);
  await page.keyboard.press('t');

  await graphs.getByRole('tab', { name: 'Sequence numbers' }).click();
  await expect(page).toHaveURL(/[?&]graph=psn/);
  await expect(graphs.locator('[data-track-kind=psn]')).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Put the graphs away' }).click();
  await expect(graphs).toHaveCount(0);
  await page.getByRole('button', { name: 'Show graphs' }).click();
  await expect(plot).toBeVisible();
});

test('the ladder of a QP follows the list, and leads to its packets', async ({ page }) => {
  await page.goto(`${agent.origin}/packets?sample=write-lost&packet=11`);
  await page.getByRole('tab', { name: 'Ladder' }).click();
  const ladder = page.getByRole('listbox', { name: /^Ladder of A and B/ });
  const marked = ladder.locator('[role=option][aria-selected=true]');
  await expect(ladder.getByRole('option')).toHaveCount(29);
  await expect(marked).toHaveAccessibleName(/^Packet 11, B→A: ?NAK ?\+4$/);
  await expectAccessible(page);
  await ladder.press('ArrowDown');
  await expect(page).toHaveURL(/packet=12(&|$)/);
  await expect(marked).toHaveAccessibleName(/^Packet 12, A→B: ?\+4 ?WRITE Middle again$/);
  await ladder.getByRole('option').first().click();
  await expect(chosen(page).locator('[role=gridcell]').first()).toHaveText('1');
});

test('on a phone the list comes first and the packet below', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${agent.origin}/packets?sample=write-lost&packet=11`);
  await expect(chosen(page)).toBeVisible();
  const [list, packet] = [
    (await rows(page).boundingBox())!,
    (await page.getByRole('tab', { name: 'Packet' }).boundingBox())!,
  ];
  expect(packet.y).toBeGreaterThan(list.y + list.height - 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});
