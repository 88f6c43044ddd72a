import type { Action } from './types';

export const downloadCapture: Action = {
  name: 'download-capture',
  label: 'Download the capture (.pcapng)',
  group: 'Run',
  keywords: 'pcap pcapng wireshark tshark packets save export',
  predicate: (ctx) => ctx.page.downloadCapture !== undefined,
  perform: (ctx) => ctx.page.downloadCapture?.(),
};
