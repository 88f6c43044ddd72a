import { plain, type Action } from './types';

export const toggleTheme: Action = {
  name: 'toggle-theme',
  label: 'Switch between dark and light theme',
  group: 'View',
  keywords: 'theme colour night day appearance',
  keys: 'd',
  keyTest: plain('d'),
  perform: (ctx) => ctx.setTheme(ctx.dark ? 'light' : 'dark'),
};
