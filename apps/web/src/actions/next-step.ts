import { plain, type Action } from './types';

export const nextStep: Action = {
  name: 'next-step',
  label: 'Next step',
  group: 'Run',
  keywords: 'step forward single',
  keys: 'n',
  keyTest: plain('n'),
  predicate: (ctx) => ctx.page.nextStep !== undefined,
  perform: (ctx) => ctx.page.nextStep?.(),
};
