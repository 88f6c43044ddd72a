import type { Action } from './types';

export const systemTheme: Action = {
  name: 'system-theme',
  label: 'Use the theme of the system',
  group: 'View',
  keywords: 'theme dark light automatic appearance',
  perform: (ctx) => ctx.setTheme('system'),
};
