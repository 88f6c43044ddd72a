import type { Action } from './types';

export const resumeSweep: Action = {
  name: 'resume-sweep',
  label: 'Resume the sweep',
  button: 'Resume',
  group: 'Run',
  keywords: 'continue go on',
  predicate: (ctx) => ctx.page.resumeSweep !== undefined,
  perform: (ctx) => ctx.page.resumeSweep?.(),
};
