import { vi } from 'vitest';
import type { ActionContext, PageHandle } from '../../src/actions/types';

/** What an action gets on a page that can do this. */
export const context = (page: PageHandle = {}): ActionContext => ({
  path: '/',
  navigate: vi.fn(),
  page,
  dark: false,
  setTheme: vi.fn(),
  openPalette: vi.fn(),
  openKeys: vi.fn(),
  takeTour: vi.fn(),
});
