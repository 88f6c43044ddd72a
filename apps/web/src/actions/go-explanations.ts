import { go, type Action } from './types';

export const goExplanations: Action = {
  name: 'go-explanations',
  label: 'Go to the explanations',
  group: 'Go',
  keywords: 'interactive explore averages polling setup loss states copies',
  keys: 'g x',
  keyTest: go('x'),
  perform: (ctx) => ctx.navigate('/explanations'),
};
