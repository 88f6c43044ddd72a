import type { Action } from './types';

export const resetLayout: Action = {
  name: 'reset-layout',
  label: 'Put the panels back where they were',
  group: 'View',
  keywords: 'layout panels reset default resize pin',
  predicate: (ctx) => ctx.page.resetLayout !== undefined,
  perform: (ctx) => ctx.page.resetLayout?.(),
};
