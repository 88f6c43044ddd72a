import type { Action } from './types';

export const clearSelection: Action = {
  name: 'clear-selection',
  label: 'Clear selection',
  group: 'List',
  keywords: 'untick none runs',
  predicate: (ctx) => ctx.page.clearSelection !== undefined,
  perform: (ctx) => ctx.page.clearSelection?.(),
};
