import { go, type Action } from './types';

export const goTools: Action = {
  name: 'go-tools',
  label: 'Go to the tools',
  group: 'Go',
  keywords: 'programs ibv_devinfo pingpong rping perftest ib_write_bw ib_send_lat',
  keys: 'g t',
  keyTest: go('t'),
  perform: (ctx) => ctx.navigate('/tools'),
};
