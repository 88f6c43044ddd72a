import { plain, type Action } from './types';

export const deleteSelected: Action = {
  name: 'delete-selected',
  label: 'Delete the selected runs',
  group: 'List',
  keywords: 'remove discard history',
  keys: 'Delete',
  keyTest: plain('Delete'),
  predicate: (ctx) => ctx.page.deleteSelected !== undefined,
  perform: (ctx) => ctx.page.deleteSelected?.(),
};
