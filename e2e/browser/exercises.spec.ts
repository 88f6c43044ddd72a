// Exercises: right, wrong and unread answers, other numbers, a reload, worksheets saved, opened, refused and printed.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { answerText, drawExercise, EXERCISES, findExercise, type Worksheet } from '@verbslab/labs/exercises';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectTakesKeys, keepScreenshots, signIn } from '../lib/page.js';

const item = (page: Page, id: string): Locator => page.locator(`[data-exercise=${id}]`);
const verdict = (one: Locator): Locator => one.getByRole('status');

async function saved(page: Page): Promise<Worksheet> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  return JSON.parse(readFileSync(await file.path(), 'utf8')) as Worksheet;
}

/** Wording of the exercise on the page. */
async function asked(page: Page, id: string) {
  const { seed } = (await saved(page)).items.find((one) => one.id === id)!;
  return drawExercise(findExercise(id)!, seed);
}

test('an exercise is answered wrong, then right, and asked with other numbers', async ({ page }) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs`);
  await page.getByRole('link', { name: 'Exercises', exact: true }).click();
  await expect(page).toHaveURL(/\/labs\/exercises$/);
  await expect(page.locator('[data-exercise]')).toHaveCount(EXERCISES.length);
  await expectAccessible(page);

  const one = item(page, 'translation-table');
  const { fields, worked, text } = await asked(page, 'translation-table');
  expect((await one.innerText()).replaceAll('\n', '')).toContain(text.slice(0, 30));
  const [pages, table] = [
    one.getByRole('textbox', { name: 'Pages' }),
    one.getByRole('textbox', { name: 'Table' }),
  ];
  await one.getByRole('button', { name: 'Check' }).click();
  await expect(verdict(one)).toHaveText('Answer first.');
  await pages.fill('many');
  await table.fill('1 B');
  await one.getByRole('button', { name: 'Check' }).click();
  await expect(verdict(one)).toHaveText('Not right yet. Try again, or show the worked answer.');
  await expect(one.getByRole('img', { name: 'No answer that can be read' })).toBeVisible();
  await expect(one.getByRole('img', { name: 'Not right' })).toBeVisible();

  const [count, bytes] = fields.map(({ answer }) => Number(answer)) as [number, number];
  await pages.fill(count.toLocaleString('en-GB'));
  await table.fill(`0x${bytes.toString(16)}`);
  await table.press('Enter');
  await expect(verdict(one)).toHaveText('Right.');
  await expect(one).toContainText(worked[0]!);
  await expect(page.locator('[data-solved]')).toHaveText(`1 of ${EXERCISES.length} solved.`);

  await page.reload();
  await expect(pages).toHaveValue(count.toLocaleString('en-GB'));
  await expect(verdict(one)).toHaveText('Solved before.');
  await one.getByRole('button', { name: 'Other numbers' }).click();
  await expect(pages).toHaveValue('');
  await one.getByRole('link', { name: 'See what registering pages costs.' }).click();
  await expect(page).toHaveURL(/\/labs\/registration-cost$/);
});

test('a question is answered from its options, by keyboard', async ({ page }) => {
  await signIn(page, agent);
  await page.goto(agent.origin);
  await expectTakesKeys(page);
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page).toHaveURL(/\/labs\/exercises$/);
  const one = item(page, 'who-copies');
  await one.getByLabel('A thread of the target’s program').check();
  await page.keyboard.press('Enter');
  await expect(verdict(one)).toHaveText('Not right yet. Try again, or show the worked answer.');
  await one.getByLabel('The NIC of the target, by DMA').check();
  await one.getByRole('button', { name: 'Check' }).click();
  await expect(verdict(one)).toHaveText('Right.');
});

test('a worksheet is saved, opened again, written as Markdown and printed', async ({ page }, testInfo) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs/exercises`);
  const { fields } = await asked(page, 'immediate');
  await item(page, 'immediate').getByLabel('4 bytes').fill(answerText(fields[0]!));
  const sheet = await saved(page);
  await page.getByRole('button', { name: 'New numbers for all' }).click();
  await expect(item(page, 'immediate').getByLabel('4 bytes')).toHaveValue('');

  const path = testInfo.outputPath('sheet.json');
  const open = async (text: string) => {
    writeFileSync(path, text);
    await page.getByLabel('A saved worksheet').setInputFiles(path);
  };
  await open('[]');
  await expect(page.getByRole('alert').first()).toContainText(
    'The worksheet cannot be read: it has no format',
  );
  await open(JSON.stringify({ ...sheet, version: 2 }));
  await expect(page.getByRole('alert').first()).toContainText('it has version 2');
  await expect(item(page, 'immediate').getByLabel('4 bytes')).toHaveValue('');
  await open(JSON.stringify(sheet));
  await expect(page.getByText('sheet.json is open.')).toBeVisible();
  await expect(item(page, 'immediate').getByLabel('4 bytes')).toHaveValue(answerText(fields[0]!));
  expect(await saved(page)).toEqual(sheet);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Markdown' }).click(),
  ]);
  const text = readFileSync(await file.path(), 'utf8');
  expect(text).toContain('- 4 bytes: ____________');
  expect(text).toContain(`- 4 bytes: **${answerText(fields[0]!)}**`);

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Check' })).toHaveCount(0);
  await expect(page.locator('[data-exercise]').first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await keepScreenshots(page, 'exercises');
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
