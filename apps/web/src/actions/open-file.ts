import { plain, type Action } from './types';

export const openFile: Action = {
  name: 'open-file',
  label: 'Open a capture file',
  group: 'Run',
  keywords: 'pcap pcapng packets load',
  keys: 'o',
  keyTest: plain('o'),
  predicate: (ctx) => ctx.page.openFile !== undefined,
  perform: (ctx) => ctx.page.openFile?.(),
};
