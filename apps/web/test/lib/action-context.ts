import { vi } from 'vitest';
import type { ActionContext, PageHandle } from '../../src/actions/types';

/** Context of an action on a page that offers these actions. */
export const context = (page: PageHandle = {}): ActionContext => ({
  path: '/',
  navigate: vi.fn(),
  page,
  dark: false,
  setTheme: vi.fn(),
  openPalette: vi.fn(),
  openKeys: vi.fn(),
});
