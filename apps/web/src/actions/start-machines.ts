import type { Action } from './types';

export const startMachines: Action = {
  name: 'start-machines',
  label: 'Start two machines',
  group: 'Run',
  keywords: 'vm virtual machines qemu rxe softroce up boot',
  predicate: (ctx) => ctx.page.startMachines !== undefined,
  perform: (ctx) => ctx.page.startMachines?.(),
};
