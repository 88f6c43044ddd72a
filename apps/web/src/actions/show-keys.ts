import { plain, type Action } from './types';

export const showKeys: Action = {
  name: 'show-keys',
  label: 'Show keys',
  group: 'View',
  keywords: 'help shortcuts keyboard',
  keys: '?',
  keyTest: plain('?'),
  perform: (ctx) => ctx.openKeys(),
};
