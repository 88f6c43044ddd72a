import { plain, type Action } from './types';

export const pauseView: Action = {
  name: 'pause-view',
  label: 'Freeze the view, or follow the run',
  group: 'View',
  keywords: 'pause resume hold live still',
  keys: 'Space',
  keyTest: plain(' '),
  predicate: (ctx) => ctx.page.togglePause !== undefined,
  perform: (ctx) => ctx.page.togglePause?.(),
};
