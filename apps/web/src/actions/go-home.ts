import { go, type Action } from './types';

export const goHome: Action = {
  name: 'go-home',
  label: 'Go to this agent',
  group: 'Go',
  keywords: 'home devices start overview',
  keys: 'g h',
  keyTest: go('h'),
  perform: (ctx) => ctx.navigate('/'),
};
