import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'alone-acks', label: 'ACKs, one WRITE in flight' },
    {
      name: 'deep-acks',
      label: 'ACKs, most WRITEs in flight',
      text: 'For the same number of WRITEs as with one in flight.',
    },
    {
      name: 'deep-requested',
      label: 'Packets with AckReq, most in flight',
      text: 'These asked for an ACK. One ACK may answer several.',
    },
    { name: 'messages-per-ack', label: 'WRITEs per ACK, most in flight' },
    { name: 'long-packets', label: 'Packets of the WRITE of 256 KiB' },
    { name: 'long-requested', label: 'Of these with AckReq' },
    { name: 'long-acks', label: 'ACKs for the WRITE of 256 KiB' },
    { name: 'read-acks', label: 'ACKs for 8 READs' },
    { name: 'before-wrap', label: 'Packets before the PSN wrapped' },
    { name: 'last-psn', label: 'PSN of the last WRITE packet' },
  ],
  tables: [
    {
      name: 'windows',
      label: 'ACKs by WRITEs in flight',
      text: 'Medians of the repetitions; fewest and most of ACKs. Captured at the client.',
      columns: [
        { name: 'window', label: 'In flight' },
        { name: 'writes', label: 'WRITEs' },
        { name: 'packets', label: 'Data packets' },
        { name: 'requested', label: 'With AckReq' },
        { name: 'acks', label: 'ACKs' },
        { name: 'min', label: 'Fewest' },
        { name: 'max', label: 'Most' },
        { name: 'perAck', label: 'WRITEs per ACK' },
      ],
    },
    {
      name: 'asking',
      label: 'WRITE of 256 KiB: packets with AckReq',
      columns: [
        { name: 'packet', label: 'Packet' },
        { name: 'opcode', label: 'Kind' },
        { name: 'psn', label: 'PSN' },
      ],
    },
    {
      name: 'answers',
      label: 'WRITE of 256 KiB: its ACKs',
      text: 'An ACK may name a newer packet than the one that asked.',
      columns: [
        { name: 'psn', label: 'PSN' },
        { name: 'packets', label: 'Packets acknowledged' },
        { name: 'msn', label: 'MSN' },
      ],
    },
    {
      name: 'wrap',
      label: 'PSNs around the wrap',
      columns: [
        { name: 'packet', label: 'Packet' },
        { name: 'psn', label: 'PSN' },
        { name: 'hex', label: 'Hexadecimal' },
      ],
    },
  ],
  curves: [
    {
      name: 'acks',
      label: 'ACKs per WRITE',
      text: 'Median and range of the repetitions.',
      x: { label: 'WRITEs in flight', log: true },
      y: { label: 'ACKs per WRITE' },
    },
  ],
};
