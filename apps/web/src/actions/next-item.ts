import { plain, type Action } from './types';

export const nextItem: Action = {
  name: 'next-item',
  label: 'Next in the list',
  group: 'List',
  keywords: 'down select row',
  keys: 'j',
  keyTest: plain('j'),
  predicate: (ctx) => ctx.page.move !== undefined,
  perform: (ctx) => ctx.page.move?.(1),
};
