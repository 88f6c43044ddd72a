import { plain, type Action } from './types';

export const runLab: Action = {
  name: 'run-lab',
  label: 'Run',
  group: 'Run',
  keywords: 'start go again measure',
  keys: 'r',
  keyTest: plain('r'),
  predicate: (ctx) => ctx.page.run !== undefined,
  perform: (ctx) => ctx.page.run?.(),
};
