import { plain, type Action } from './types';

export const showKeys: Action = {
  name: 'show-keys',
  label: 'Keyboard shortcuts',
  group: 'View',
  keywords: 'help keys',
  keys: '?',
  keyTest: plain('?'),
  perform: (ctx) => ctx.openKeys(),
};
