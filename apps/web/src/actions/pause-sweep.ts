import type { Action } from './types';

export const pauseSweep: Action = {
  name: 'pause-sweep',
  label: 'Pause the sweep',
  button: 'Pause',
  group: 'Run',
  keywords: 'hold stop wait',
  predicate: (ctx) => ctx.page.pauseSweep !== undefined,
  perform: (ctx) => ctx.page.pauseSweep?.(),
};
