import { plain, type Action } from './types';

export const selectItem: Action = {
  name: 'select-item',
  label: 'Select or deselect the run',
  group: 'List',
  keywords: 'tick mark check row',
  keys: 'x',
  keyTest: plain('x'),
  predicate: (ctx) => ctx.page.selectItem !== undefined,
  perform: (ctx) => ctx.page.selectItem?.(),
};
