import { plain, type Action } from './types';

export const focusFilter: Action = {
  name: 'focus-filter',
  label: 'Filter the list',
  group: 'List',
  keywords: 'search find display filter packets runs notes',
  keys: '/',
  keyTest: plain('/'),
  predicate: (ctx) => ctx.page.focusFilter !== undefined,
  perform: (ctx) => ctx.page.focusFilter?.(),
};
