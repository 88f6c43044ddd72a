import type { Action } from './types';

export const cancelSweep: Action = {
  name: 'cancel-sweep',
  label: 'Cancel the sweep',
  button: 'Cancel',
  group: 'Run',
  keywords: 'stop abort end',
  predicate: (ctx) => ctx.page.cancelSweep !== undefined,
  perform: (ctx) => ctx.page.cancelSweep?.(),
};
