import { plain, type Action } from './types';

export const writeNote: Action = {
  name: 'write-note',
  label: 'Write a note',
  group: 'Run',
  keywords: 'note notebook markdown comment remark',
  keys: 'w',
  keyTest: plain('w'),
  predicate: (ctx) => ctx.page.writeNote !== undefined,
  perform: (ctx) => ctx.page.writeNote?.(),
};
