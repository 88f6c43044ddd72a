import type { Action } from './types';

export const cancelMachines: Action = {
  name: 'cancel-machines',
  label: 'Cancel the start',
  group: 'Run',
  keywords: 'vm virtual machines stop abort',
  predicate: (ctx) => ctx.page.cancelMachines !== undefined,
  perform: (ctx) => ctx.page.cancelMachines?.(),
};
