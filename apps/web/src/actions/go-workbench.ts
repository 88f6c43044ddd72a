import { go, type Action } from './types';

export const goWorkbench: Action = {
  name: 'go-workbench',
  label: 'Go to the workbench',
  group: 'Go',
  keywords: 'build your own program editor typescript c tasks code write',
  keys: 'g w',
  keyTest: go('w'),
  perform: (ctx) => ctx.navigate('/workbench'),
};
