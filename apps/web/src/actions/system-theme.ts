import type { Action } from './types';

export const systemTheme: Action = {
  name: 'system-theme',
  label: 'Follow the system’s theme',
  group: 'View',
  keywords: 'theme dark light automatic appearance',
  perform: (ctx) => ctx.setTheme('system'),
};
