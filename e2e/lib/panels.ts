// Checks of the panels on a run's page: scroll, point, resize and pin.
import { expect, type Page } from '@playwright/test';

/** Panels below the window hold their data too. Printing, searching the page and pictures of all of it need them. */
export async function expectAllPanelsDrawn(page: Page): Promise<void> {
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(page.locator('[data-panel=completions] [data-completions]')).toHaveAttribute(
    'data-completions',
    /^[1-9]/,
  );
  await expect(page.locator('[data-panel=counters] tbody tr').first()).toBeAttached();
  await expect(page.locator('[data-panel=packets] [role=row][aria-rowindex]').first()).toBeAttached();
}

/** The list of completions shows QP and wr_id beside another panel too, and cuts no opcode or error. */
export async function expectColumnsOfCompletions(page: Page): Promise<void> {
  const panel = page.locator('[data-panel=completions]');
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['QP', 'wr_id'])
      await expect(panel.getByRole('columnheader', { name, exact: true })).toBeVisible();
    // The longest name of a status or opcode replaces the text of a cell.
    const cut = await panel
      .getByRole('cell')
      .filter({ hasText: /^RDMA_WRITE$/ })
      .first()
      .evaluate((cell) => {
        const shown = cell.textContent;
        cell.textContent = 'RECV_RDMA_WITH_IMM';
        const tooLong = cell.scrollWidth > cell.clientWidth;
        cell.textContent = shown;
        return tooLong;
      });
    expect([width, cut]).toEqual([width, false]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Scrolling down the list loads all completions, down to the oldest kept one, without moving the rows. */
export async function expectOldestCompletion(page: Page): Promise<void> {
  const panel = page.locator('[data-panel=completions]');
  const total = Number(await panel.locator('[data-completions]').getAttribute('data-completions'));
  const kept = Number(await panel.getByRole('table').getAttribute('aria-rowcount')) - 1;
  const numbered = (n: number) =>
    panel
      .locator('[role=cell]:first-child')
      .filter({ hasText: new RegExp(`^${n.toLocaleString('en-GB')}$`) });
  const oldest = numbered(total - kept + 1);
  const list = panel.getByRole('rowgroup').last();
  await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await expect(oldest).toBeVisible();
  await panel.getByRole('button', { name: /^Paused at/ }).click();
  await expect(oldest).toHaveCount(0);
  await expect(numbered(total)).toBeVisible();
}

/** The charts over run time show the same moment, by pointer and by key. The values are those of the table behind. */
export async function expectCrosshair(page: Page): Promise<void> {
  const panel = (name: string) => page.locator(`[data-panel=${name}]`);
  const tip = (name: string) => panel(name).locator('[data-tip]');
  const chart = panel('goodput').getByRole('application');
  await chart.hover();
  await expect(tip('goodput')).toContainText(/ s(RDMA\/(UDP|shm)|TCP)[\d.]+ Gb\/s/);
  await expect(tip('cpu')).toContainText(/cores/);
  await expect(tip('latency')).toHaveCount(0);
  await page.mouse.move(0, 0);
  await expect(tip('goodput')).toHaveCount(0);
  await chart.focus();
  await page.keyboard.press('Home');
  const shown = await tip('goodput').innerText();
  await page.keyboard.press('ArrowRight');
  await expect(tip('goodput')).not.toHaveText(shown);
  await page.keyboard.press('Escape');
  await expect(tip('goodput')).toHaveCount(0);
  await panel('goodput').getByRole('button', { name: /table/i }).click();
  // The server may be sampled before the client: the crosshair skips a row without goodput.
  const [time, ...values] = await panel('goodput')
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows
        .map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.innerText))
        .find(([, ...cells]) => cells.some((cell) => /\d/.test(cell)))!,
    );
  expect(shown).toContain(`${Number(time).toPrecision(3)} s`);
  for (const value of values.filter((v) => /\d/.test(v))) expect(shown).toContain(`${value} Gb/s`);
  await panel('goodput').getByRole('button', { name: /chart/i }).click();
}

/** A panel gains the width that its neighbor loses; a pinned panel is on top; one button restores the layout. */
export async function expectPanelsMove(page: Page): Promise<void> {
  const panel = (id: string) => page.locator(`[data-panel=${id}]`);
  const box = async (id: string) => (await panel(id).boundingBox())!;
  const reset = page.getByRole('button', { name: 'Reset layout' });
  const [goodput, cost] = [await box('goodput'), await box('cost')];
  await expect(reset).toHaveCount(0);
  const corner = panel('goodput').getByRole('button', { name: /^Resize/ });
  await corner.press('ArrowRight');
  await corner.press('ArrowDown');
  const [wider, narrower] = [await box('goodput'), await box('cost')];
  expect(wider.width).toBeGreaterThan(goodput.width);
  expect(wider.width + narrower.width).toBeCloseTo(goodput.width + cost.width, 0);
  expect(wider.height).toBe(goodput.height + 40);
  expect(narrower.height).toBe(wider.height);
  // The mouse resizes too: the corner follows the pointer.
  const grip = (await corner.boundingBox())!;
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(grip.x + grip.width / 2 - goodput.width / 7, grip.y + grip.height / 2 + 80, {
    steps: 4,
  });
  await page.mouse.up();
  expect((await box('goodput')).width).toBeCloseTo(goodput.width, 0);
  expect((await box('goodput')).height).toBe(goodput.height + 120);
  await page.mouse.move(0, 0);
  expect((await box('goodput')).height).toBe(goodput.height + 120);
  await panel('cost').getByRole('button', { name: /^Pin/ }).click();
  // No other panel is left beside, above or below it.
  expect((await box('cost')).width).toBeGreaterThan(goodput.width + cost.width);
  expect((await box('goodput')).width).toBeGreaterThan(goodput.width + cost.width);
  // A pinned panel stays in view. Both panels are in place at the top of the page.
  await page.evaluate(() => scrollTo(0, 0));
  expect((await box('cost')).y).toBeLessThan((await box('findings')).y);
  await page.reload();
  // The panel is still pinned, and returns to its place when unpinned.
  await panel('cost')
    .getByRole('button', { name: /^Unpin/ })
    .click();
  await expect.poll(async () => (await box('cost')).y).toBeGreaterThan((await box('findings')).y);
  expect((await box('goodput')).height).toBe(goodput.height + 120);
  await reset.click();
  expect([(await box('goodput')).width, (await box('goodput')).height]).toEqual([
    goodput.width,
    goodput.height,
  ]);
  await expect(reset).toHaveCount(0);
}
