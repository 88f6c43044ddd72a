import type { Action } from './types';

export const separateRun: Action = {
  name: 'separate-run',
  label: 'Separate this run into its parts',
  group: 'Run',
  keywords: 'split unjoin undo join',
  predicate: (ctx) => ctx.page.separate !== undefined,
  perform: (ctx) => ctx.page.separate?.(),
};
