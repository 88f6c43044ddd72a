import type { ResultSpecs } from '@verbslab/protocol';
import { WAYS } from './ways.js';

const CROSSOVER =
  'Where the measured medians cross for the last time, with straight lines between the sizes. No value if rendezvous is not faster at the largest size.';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'immediate',
      label: 'Immediate after the CTS',
      text: '1 means ready: the data is in the receiver’s buffer.',
    },
    {
      name: 'copies-eager',
      label: 'Copies that eager left in bounce buffers',
      text: 'Found by comparing both bounce buffers with the message.',
    },
    { name: 'copies-rendezvous', label: 'Copies that rendezvous left in bounce buffers' },
    {
      name: 'round-trip',
      label: 'Round trip of a control message',
      unit: 'µs',
      text: 'RTS there and CTS back, between two programs that poll.',
    },
    {
      name: 'copy-rate',
      label: 'Rate of both copies together',
      unit: 'GB/s',
      text: 'Bytes of the largest message, divided by the time of its copies at both ends.',
    },
    {
      name: 'formula',
      label: 'Crossover by the formula',
      unit: 'B',
      text: 'Round trip × rate of both copies together.',
    },
    { name: 'crossover-write', label: 'Measured crossover, WRITE', unit: 'B', text: CROSSOVER },
    { name: 'crossover-read', label: 'Measured crossover, READ', unit: 'B', text: CROSSOVER },
    {
      name: 'held-eager',
      label: 'Memory of posted RECVs, eager',
      unit: 'B',
      text: 'Per message that the sender may send ahead: a RECV for the longest one.',
    },
    {
      name: 'held-rendezvous',
      label: 'Memory of posted RECVs, rendezvous',
      unit: 'B',
      text: 'Two RECVs for control messages, whatever the size of the data.',
    },
  ],
  tables: [
    {
      name: 'ways',
      label: 'What each way costs',
      text: 'CPU time is per message of the largest size, while both programs sleep as they wait. The programs’ CPU time includes the copies and Node.js. NIC work is that of both ends.',
      columns: [
        { name: 'way', label: 'Way' },
        { name: 'data', label: 'Data goes by' },
        { name: 'before', label: 'Round trips before the data' },
        { name: 'messages', label: 'Requests posted' },
        { name: 'held', label: 'Posted RECVs', unit: 'B' },
        { name: 'sender', label: 'Sender’s program', unit: 'µs' },
        { name: 'receiver', label: 'Receiver’s program', unit: 'µs' },
        { name: 'nic', label: 'NIC work', unit: 'µs' },
      ],
    },
    {
      name: 'sizes',
      label: 'Times by size',
      text: 'Medians, from the start at the sender until it knows that the bytes are in the receiver’s own buffer.',
      columns: [
        { name: 'size', label: 'Message', unit: 'B' },
        ...WAYS.map(({ id, title }) => ({ name: id, label: title, unit: 'µs' })),
        { name: 'copies', label: 'Both copies', unit: 'µs' },
      ],
    },
  ],
  curves: [
    {
      name: 'times',
      label: 'Time of a message',
      text: 'Where the lines cross, rendezvous starts to pay off.',
      x: { label: 'Message', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: WAYS.map(({ id, title }) => ({ name: id, label: title })),
    },
    {
      name: 'parts',
      label: 'What the ways differ in',
      text: 'Eager pays for the copies, rendezvous for the round trip. The lines cross at the size of the formula.',
      x: { label: 'Message', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: [
        { name: 'copies', label: 'Both copies' },
        { name: 'trip', label: 'Round trip' },
      ],
    },
  ],
};
