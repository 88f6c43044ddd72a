import type { Action } from './types';

export const takeTour: Action = {
  name: 'take-tour',
  label: 'Take the tour',
  group: 'View',
  keywords: 'help introduction first new guide',
  perform: (ctx) => ctx.takeTour(),
};
