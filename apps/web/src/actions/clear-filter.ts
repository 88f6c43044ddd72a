import type { Action } from './types';

export const clearFilter: Action = {
  name: 'clear-filter',
  label: 'Clear the filter',
  group: 'List',
  keywords: 'search all runs packets show reset',
  predicate: (ctx) => ctx.page.clearFilter !== undefined,
  perform: (ctx) => ctx.page.clearFilter?.(),
};
