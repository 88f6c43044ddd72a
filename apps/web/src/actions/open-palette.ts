import type { Action } from './types';

export const openPalette: Action = {
  name: 'open-palette',
  label: 'Open the command palette',
  group: 'View',
  keywords: 'commands actions search',
  keys: 'Ctrl K',
  keyTest: (p) => p.key.toLowerCase() === 'k' && p.mod && !p.alt && !p.shift,
  inFields: true,
  perform: (ctx) => ctx.openPalette(),
};
