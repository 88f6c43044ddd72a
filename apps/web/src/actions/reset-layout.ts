import type { Action } from './types';

export const resetLayout: Action = {
  name: 'reset-layout',
  label: 'Reset the panels',
  group: 'View',
  keywords: 'layout default resize pin back',
  predicate: (ctx) => ctx.page.resetLayout !== undefined,
  perform: (ctx) => ctx.page.resetLayout?.(),
};
