// Test function for pages: a loaded page takes input before a test goes on.
import { test as base, type Page } from '@playwright/test';

/**
 * Resolves when the page's program has taken over each of its controls. A choice made before that is lost, and a busy
 * machine leaves time for it. A page without the program has nothing to wait for.
 */
const takesInput = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector('script[src*="/_next/"]') === null ||
      [...document.querySelectorAll('button, input, select, textarea')].every((control) =>
        Object.keys(control).some((key) => key.startsWith('__reactProps')),
      ),
  );

export const test = base.extend({
  page: async ({ page }, use) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (...args) => {
      const response = await goto(...args);
      await takesInput(page);
      return response;
    };
    page.reload = async (...args) => {
      const response = await reload(...args);
      await takesInput(page);
      return response;
    };
    await use(page);
  },
});
