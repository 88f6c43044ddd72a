import { plain, type Action } from './types';

export const previousItem: Action = {
  name: 'previous-item',
  label: 'Previous in the list',
  group: 'List',
  keywords: 'up select row',
  keys: 'k',
  keyTest: plain('k'),
  predicate: (ctx) => ctx.page.move !== undefined,
  perform: (ctx) => ctx.page.move?.(-1),
};
