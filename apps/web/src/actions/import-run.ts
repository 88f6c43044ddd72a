import type { Action } from './types';

export const importRun: Action = {
  name: 'import-run',
  label: 'Import a run',
  group: 'List',
  keywords: 'bundle vlrun file upload open other host',
  predicate: (ctx) => ctx.page.importRun !== undefined,
  perform: (ctx) => ctx.page.importRun?.(),
};
