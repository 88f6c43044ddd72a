import { go, type Action } from './types';

export const goPackets: Action = {
  name: 'go-packets',
  label: 'Go to packets',
  group: 'Go',
  keywords: 'capture pcap pcapng wireshark decode file',
  keys: 'g p',
  keyTest: go('p'),
  perform: (ctx) => ctx.navigate('/packets'),
};
