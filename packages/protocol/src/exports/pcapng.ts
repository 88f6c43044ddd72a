import type { ExportFormat } from './format.js';

export const pcapng: ExportFormat = {
  id: 'pcapng',
  title: 'Capture (pcapng)',
  holds: 'The captured packets, with their times. For Wireshark, tshark and `verbslab decode`.',
  ending: '.pcapng',
  mediaType: 'application/x-pcapng',
  write: ({ capture }) => capture(),
};
