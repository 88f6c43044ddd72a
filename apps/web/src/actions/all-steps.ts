import { plain, type Action } from './types';

export const allSteps: Action = {
  name: 'all-steps',
  label: 'Run remaining steps',
  group: 'Run',
  keywords: 'step finish rest run all',
  keys: 'a',
  keyTest: plain('a'),
  predicate: (ctx) => ctx.page.allSteps !== undefined,
  perform: (ctx) => ctx.page.allSteps?.(),
};
