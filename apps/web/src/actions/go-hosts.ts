import { go, type Action } from './types';

export const goHosts: Action = {
  name: 'go-hosts',
  label: 'Go to hosts',
  group: 'Go',
  keywords: 'peer agent pair join machine vm remote clock path check',
  keys: 'g o',
  keyTest: go('o'),
  perform: (ctx) => ctx.navigate('/hosts'),
};
