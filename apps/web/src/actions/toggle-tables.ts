import { plain, type Action } from './types';

export const toggleTables: Action = {
  name: 'toggle-tables',
  label: 'Show the tables behind the charts',
  group: 'View',
  keywords: 'figures numbers data accessible chart',
  keys: 't',
  keyTest: plain('t'),
  predicate: (ctx) => ctx.page.toggleTables !== undefined,
  perform: (ctx) => ctx.page.toggleTables?.(),
};
