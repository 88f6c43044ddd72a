// Audit of a run's page in both of its views.
import { expect, type Page } from '@playwright/test';
import { Audit } from './audit.js';
import type { Evidence } from './evidence.js';

/** Audits the page with charts as charts, then as tables. `expected`: statements that must have been compared. */
export async function auditViews(
  page: Page,
  name: string,
  evidence: Evidence,
  expected: string[],
): Promise<void> {
  const audit = new Audit(evidence);
  await audit.page(page, name);
  const tables = await page.getByRole('button', { name: /^Show the table behind/ }).all();
  for (let left = tables.length; left > 0; left--) {
    await page
      .getByRole('button', { name: /^Show the table behind/ })
      .first()
      .click();
    await expect(page.getByRole('button', { name: /^Show the table behind/ })).toHaveCount(left - 1);
  }
  await audit.page(page, `${name}, tables`);
  audit.expectAllJoined();
  expect([...audit.compared]).toEqual(expect.arrayContaining(expected));
}
