import type { Action } from './types';

export const systemTheme: Action = {
  name: 'system-theme',
  label: 'Use the system theme',
  group: 'View',
  keywords: 'theme dark light automatic appearance',
  perform: (ctx) => ctx.setTheme('system'),
};
