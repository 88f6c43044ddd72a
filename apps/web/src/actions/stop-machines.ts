import type { Action } from './types';

export const stopMachines: Action = {
  name: 'stop-machines',
  label: 'Stop the machines',
  group: 'Run',
  keywords: 'vm virtual machines qemu down end delete',
  predicate: (ctx) => ctx.page.stopMachines !== undefined,
  perform: (ctx) => ctx.page.stopMachines?.(),
};
