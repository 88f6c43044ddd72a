import { go, type Action } from './types';

export const goSetUp: Action = {
  name: 'go-set-up',
  label: 'Set up two machines',
  group: 'Go',
  keywords: 'install rxe softroce rdma link modprobe vm virtual machine pair doctor symptoms',
  keys: 'g u',
  keyTest: go('u'),
  perform: (ctx) => ctx.navigate('/set-up'),
};
