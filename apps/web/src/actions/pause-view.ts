import { plain, type Action } from './types';

export const pauseView: Action = {
  name: 'pause-view',
  label: 'Pause or resume the view',
  group: 'View',
  keywords: 'freeze hold live still',
  keys: 'Space',
  keyTest: plain(' '),
  predicate: (ctx) => ctx.page.togglePause !== undefined,
  perform: (ctx) => ctx.page.togglePause?.(),
};
