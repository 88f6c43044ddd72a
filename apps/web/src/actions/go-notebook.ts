import { go, type Action } from './types';

export const goNotebook: Action = {
  name: 'go-notebook',
  label: 'Go to the notebook',
  group: 'Go',
  keywords: 'notes tags markdown',
  keys: 'g n',
  keyTest: go('n'),
  perform: (ctx) => ctx.navigate('/notebook'),
};
