import type { Action } from './types';

export const refreshDevices: Action = {
  name: 'refresh-devices',
  label: 'Refresh devices',
  group: 'List',
  keywords: 'hosts peers ask again rescan',
  predicate: (ctx) => ctx.page.refreshDevices !== undefined,
  perform: (ctx) => ctx.page.refreshDevices?.(),
};
