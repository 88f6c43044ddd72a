import { plain, type Action } from './types';

export const compareRuns: Action = {
  name: 'compare-runs',
  label: 'Compare runs',
  group: 'List',
  keywords: 'difference side by side against baseline diff selected this',
  keys: 'c',
  keyTest: plain('c'),
  predicate: (ctx) => ctx.page.compare !== undefined,
  perform: (ctx) => ctx.page.compare?.(),
};
