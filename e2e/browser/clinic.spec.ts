// The clinic as a game: one case from its symptom to the diagnosis, by keys and by pointer.
import { expect } from '@playwright/test';
import { CATEGORIES, CLINIC_CASES } from '@verbslab/labs';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, signIn } from '../lib/page.js';

test('a case is diagnosed on one screen, and the next one follows', async ({ page }) => {
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs/clinic`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Case 1: which mistake is it?');
  await expectAccessible(page);
  await page.keyboard.press('r');
  const symptom = page.locator('[data-shows="clinic-symptom"]');
  await expect(symptom).toBeVisible();
  const answers = page.getByRole('radio');
  await expect(answers).toHaveCount(5);
  // Nothing names the mistake before there is an answer.
  await expect(page.getByText('With the fix')).toHaveCount(0);
  await expectAccessible(page);
  const button = page.getByRole('button', { name: 'Answer', exact: true });
  await expect(button).toBeDisabled();
  expect((await button.boundingBox())!.y).toBeLessThan(page.viewportSize()!.height);

  const evidence = page.getByRole('group', { name: 'Evidence', exact: true }).getByRole('button');
  await expect(evidence).toHaveText([/^Calls/, /^Memory/, /^Packets/, /^Counters/, /^Events/]);
  await evidence.nth(0).click();
  await expect(
    page.locator('[data-call="ibv_post_send"], [data-call="ibv_modify_qp"], [data-call]').first(),
  ).toBeVisible();
  await evidence.nth(4).click();
  await expect(page.locator('[data-shows="clinic-events"]')).toContainText('Event at the client');
  await expect(page.getByText('You opened 2.')).toBeVisible();
  await expectAccessible(page);

  const names = await page
    .locator('label')
    .filter({ has: page.getByRole('radio') })
    .allTextContents();
  for (const name of names) expect(CLINIC_CASES.map((one) => one.name)).toContain(name.trim());
  await answers.first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const diagnosis = page.locator('#diagnosed');
  await expect(diagnosis).toBeVisible();
  const right = (await diagnosis.textContent())!.trim() === names[0]!.trim();
  await expect(page.getByText(right ? '+4 points' : '+0 points')).toBeVisible();
  await expect(page.getByText('With the fix')).toBeVisible();
  const one = CLINIC_CASES.find(({ name }) => name === names[0]!.trim())!;
  const title = CATEGORIES.find(({ id }) => id === one.category)!.title;
  if (right) await expect(page.getByRole('row', { name: new RegExp(`^${title}`) })).toContainText('1 of 1');
  await expectAccessible(page);

  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Case 2: which mistake is it?');
  await expect(answers).toHaveCount(5);
  // A reload keeps the score.
  await page.reload();
  await expect(page.getByText(/^solved . of 1/)).toBeVisible();
});
