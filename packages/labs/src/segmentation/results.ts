import type { ResultSpecs } from '@verbslab/protocol';

const ON_ETHERNET =
  'On Ethernet each IP packet takes 38 B more: preamble 8, header 14, FCS 4, gap 12. Computed: the capture begins at the IP header.';

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
      text: `IP packets with the data, from the IP header to the ICRC, as captured. Other direction: ACKs, or the request of a READ. Predicted: the sum of header sizes, payload and pad. ${ON_ETHERNET}`,
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
      text: 'For a long message the lines nearly coincide: the operation hardly matters. Formula: payload / (payload + headers) of a Middle packet that carries a path MTU, or the whole message if that is shorter.',
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
