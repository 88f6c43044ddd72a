import type { Action } from './types';

/** Where the form is not on the page, the page with the form is opened. */
export const addHost: Action = {
  name: 'add-host',
  label: 'Add host',
  group: 'Go',
  keywords: 'pair peer agent join string machine',
  perform: (ctx) => (ctx.page.addHost ?? (() => ctx.navigate('/hosts')))(),
};
