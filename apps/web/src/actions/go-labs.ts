import { go, type Action } from './types';

export const goLabs: Action = {
  name: 'go-labs',
  label: 'Go to labs',
  group: 'Go',
  keywords: 'catalogue questions experiments',
  keys: 'g l',
  keyTest: go('l'),
  perform: (ctx) => ctx.navigate('/labs'),
};
