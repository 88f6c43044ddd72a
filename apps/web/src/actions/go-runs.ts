import { go, type Action } from './types';

export const goRuns: Action = {
  name: 'go-runs',
  label: 'Go to runs',
  group: 'Go',
  keywords: 'history results figures',
  keys: 'g r',
  keyTest: go('r'),
  perform: (ctx) => ctx.navigate('/runs'),
};
