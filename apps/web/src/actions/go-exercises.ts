import { go, type Action } from './types';

export const goExercises: Action = {
  name: 'go-exercises',
  label: 'Go to the exercises',
  group: 'Go',
  keywords: 'calculations worksheet questions practice print',
  keys: 'g e',
  keyTest: go('e'),
  perform: (ctx) => ctx.navigate('/labs/exercises'),
};
