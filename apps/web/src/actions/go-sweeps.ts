import { go, type Action } from './types';

export const goSweeps: Action = {
  name: 'go-sweeps',
  label: 'Go to sweeps',
  button: 'Sweeps',
  group: 'Go',
  keywords: 'parameters grid curves list',
  keys: 'g s',
  keyTest: go('s'),
  perform: (ctx) => ctx.navigate('/sweeps'),
};
