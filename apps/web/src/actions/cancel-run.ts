import { plain, type Action } from './types';

export const cancelRun: Action = {
  name: 'cancel-run',
  label: 'Cancel this run',
  group: 'Run',
  keywords: 'stop abort end',
  keys: 'Esc',
  keyTest: plain('Escape'),
  predicate: (ctx) => ctx.page.cancel !== undefined,
  perform: (ctx) => ctx.page.cancel?.(),
};
