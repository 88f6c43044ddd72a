// The test function of everything that has a page: one that has been loaded takes input before a test goes on.
import { test as base, type Page } from '@playwright/test';

/**
 * Resolves when the page’s program has taken over each of its controls. What is chosen in one before that is lost, and a busy
 * machine leaves time for it. A page without our program has none to wait for.
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
