import type { ResultSpecs } from '@verbslab/protocol';

const ON_ETHERNET =
  'On Ethernet each IP packet takes 38 B more: preamble 8, header 14, FCS 4, gap 12. These are added, not captured.';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'path-mtu',
      label: 'Path MTU',
      unit: 'B',
      text: 'The smaller of your choice and the largest that both devices support.',
    },
    { name: 'read-responses', label: 'Response packets of the READ' },
    {
      name: 'read-psns',
      label: 'PSNs that the READ took',
      text: 'From its own PSN to that of the next request.',
    },
    { name: 'empty-packets', label: 'Packets of a WRITE of 0 B' },
    {
      name: 'share',
      label: 'Payload on Ethernet, long WRITE',
      unit: '%',
      text: `At your path MTU. ${ON_ETHERNET}`,
    },
    {
      name: 'share-smallest',
      label: 'The same at 256 B per packet',
      unit: '%',
    },
    { name: 'share-largest', label: 'The same at the largest path MTU', unit: '%' },
  ],
  tables: [
    {
      name: 'messages',
      label: 'Packets with the data',
      text: 'Captured at the client; a retransmitted packet counts once. Predicted: size / path MTU, rounded up, and at least 1.',
      columns: [
        { name: 'operation', label: 'Operation' },
        { name: 'size', label: 'Size', unit: 'B' },
        { name: 'predicted', label: 'Predicted' },
        { name: 'counted', label: 'Counted' },
        { name: 'packets', label: 'Packets' },
        { name: 'psn', label: 'PSN of the request' },
        { name: 'psns', label: 'PSNs taken' },
      ],
    },
    {
      name: 'shares',
      label: 'Bytes of the long message',
      text: `IP packets with the data, from the IP header to the ICRC. Predicted: the sum of header sizes, payload and pad. ${ON_ETHERNET}`,
      columns: [
        { name: 'mtu', label: 'Path MTU', unit: 'B' },
        { name: 'operation', label: 'Operation' },
        { name: 'packets', label: 'Packets' },
        { name: 'predicted', label: 'Predicted bytes' },
        { name: 'bytes', label: 'Captured bytes' },
        { name: 'ofIp', label: 'Payload of IP bytes', unit: '%' },
        { name: 'share', label: 'Payload on Ethernet', unit: '%' },
        { name: 'back', label: 'Other direction, captured bytes' },
      ],
    },
  ],
  curves: [
    {
      name: 'payload',
      label: 'Payload in the bytes on Ethernet',
      text: 'Formula: path MTU / (path MTU + headers) of a Middle packet, where no message begins or ends.',
      x: { label: 'Path MTU', unit: 'B', log: true },
      y: { label: 'Payload on Ethernet', unit: '%' },
      series: [
        { name: 'send', label: 'SEND' },
        { name: 'write', label: 'WRITE' },
        { name: 'read', label: 'READ' },
        { name: 'formula', label: 'Formula' },
      ],
    },
  ],
};
