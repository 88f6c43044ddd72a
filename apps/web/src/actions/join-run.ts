import type { Action } from './types';

export const joinRun: Action = {
  name: 'join-run',
  label: 'Join this run with another',
  group: 'Run',
  keywords: 'merge client server peer one timeline both ends',
  predicate: (ctx) => ctx.page.join !== undefined,
  perform: (ctx) => ctx.page.join?.(),
};
