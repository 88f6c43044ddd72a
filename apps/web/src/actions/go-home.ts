import { go, type Action } from './types';

export const goHome: Action = {
  name: 'go-home',
  label: 'Go to home',
  group: 'Go',
  keywords: 'learn measure debug start overview',
  keys: 'g h',
  keyTest: go('h'),
  perform: (ctx) => ctx.navigate('/'),
};
