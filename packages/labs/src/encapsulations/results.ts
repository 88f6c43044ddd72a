import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  headline: { table: 'totals', columns: ['kind', 'total', 'around', 'share'] },
  figures: [
    { name: 'infiniband', label: 'InfiniBand', unit: 'B', text: 'From the LRH to the VCRC.' },
    {
      name: 'roce-v1',
      label: 'RoCE v1',
      unit: 'B',
      text: 'From the Ethernet header to the FCS, without preamble and gap.',
    },
    {
      name: 'roce-v2',
      label: 'RoCE v2',
      unit: 'B',
      text: 'From the Ethernet header to the FCS, without preamble and gap.',
    },
    {
      name: 'iwarp',
      label: 'iWARP',
      unit: 'B',
      text: 'From the Ethernet header to the FCS, without preamble and gap.',
    },
  ],
  tables: [
    {
      name: 'totals',
      label: 'One WRITE in four encapsulations',
      text: 'Bytes of the composed frames.',
      columns: [
        { name: 'kind', label: 'Encapsulation' },
        { name: 'total', label: 'Bytes' },
        { name: 'around', label: 'Around the payload' },
        { name: 'share', label: 'Payload', unit: '%' },
        { name: 'network', label: 'Needs' },
        { name: 'routed', label: 'Crosses routers' },
        { name: 'loss', label: 'Against loss' },
      ],
    },
    {
      name: 'headers',
      label: 'Header by header',
      text: 'RoCE v2 is captured, from IP to ICRC. The rest is composed, with example addresses.',
      columns: [
        { name: 'kind', label: 'Encapsulation' },
        { name: 'header', label: 'Header' },
        { name: 'size', label: 'Bytes' },
        { name: 'what', label: 'What it is for' },
        { name: 'bytes', label: 'Content, hexadecimal' },
      ],
    },
    {
      name: 'pause',
      label: 'Frames that stop a sender',
      text: 'Composed by code. Padding to the shortest Ethernet frame and the FCS are left out.',
      columns: [
        { name: 'frame', label: 'Frame' },
        { name: 'what', label: 'Stops' },
        { name: 'bytes', label: 'Content, hexadecimal' },
      ],
    },
  ],
};
