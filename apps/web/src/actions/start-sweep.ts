import type { Action } from './types';

export const startSweep: Action = {
  name: 'start-sweep',
  label: 'Start sweep',
  group: 'Run',
  keywords: 'parameters values grid curve',
  predicate: (ctx) => ctx.page.startSweep !== undefined,
  perform: (ctx) => ctx.page.startSweep?.(),
};
