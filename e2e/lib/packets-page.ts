// Parts of the Packets page.
import type { Page } from '@playwright/test';

export const rows = (page: Page) => page.getByRole('grid', { name: /^Packets/ });
export const chosen = (page: Page) => rows(page).locator('[role=row][aria-selected=true]');
export const chip = (page: Page, id: string) => page.locator(`[data-chip=${id}]`);
export const filterBox = (page: Page) => page.getByRole('combobox', { name: 'Filter packets' });
