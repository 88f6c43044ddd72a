import type { ResultSpecs } from '@verbslab/protocol';

const ON_ETHERNET = 'Ethernet adds 38 B per packet (computed).';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'share',
      label: 'Payload on Ethernet, long WRITE',
      unit: '%',
      text: `At your path MTU. ${ON_ETHERNET}`,
    },
    { name: 'read-responses', label: 'Response packets of the READ' },
    {
      name: 'read-psns',
      label: 'PSNs that the READ took',
      text: 'PSN of the next request − PSN of the READ.',
    },
    { name: 'empty-packets', label: 'Packets of a WRITE of 0 B' },
    {
      name: 'share-smallest',
      label: 'Payload on Ethernet, long WRITE, 256 B per packet',
      unit: '%',
    },
    { name: 'share-largest', label: 'Payload on Ethernet, long WRITE, largest path MTU', unit: '%' },
    {
      name: 'path-mtu',
      label: 'Path MTU',
      unit: 'B',
      text: 'The smallest of your choice and the active MTUs of both devices.',
    },
  ],
  tables: [
    {
      name: 'messages',
      label: 'Packets with the data',
      text: 'Captured at the client. Predicted: size / path MTU, rounded up, at least 1.',
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
      text: `Captured, from IP header to ICRC. ${ON_ETHERNET}`,
      columns: [
        { name: 'mtu', label: 'Path MTU', unit: 'B' },
        { name: 'operation', label: 'Operation' },
        { name: 'packets', label: 'Packets' },
        { name: 'predicted', label: 'Predicted bytes' },
        { name: 'bytes', label: 'Captured bytes' },
        { name: 'ofIp', label: 'Payload in the IP packets', unit: '%' },
        { name: 'share', label: 'Payload on Ethernet', unit: '%' },
        { name: 'back', label: 'Other direction, bytes' },
      ],
    },
  ],
  curves: [
    {
      name: 'payload',
      label: 'Payload in the bytes on Ethernet',
      text: 'Formula: payload / (payload + headers) of a Middle packet, or of a shorter whole message.',
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
