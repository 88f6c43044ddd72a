import type { ResultSpecs } from '@verbslab/protocol';
import { WAYS } from './ways.js';

const CROSSOVER = 'Above it rendezvous has the lower median. None: eager has it at the largest size.';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'crossover-write', label: 'Last crossing of the medians, WRITE', unit: 'B', text: CROSSOVER },
    { name: 'crossover-read', label: 'Last crossing of the medians, READ', unit: 'B', text: CROSSOVER },
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
      name: 'trip-seen',
      label: 'Time that WRITE took longer at 1 KiB',
      unit: 'µs',
      text: 'WRITE − eager in each round: median and range. The copies take little there.',
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
      text: 'Round trip × rate of both copies together. The range combines the ends of their ranges.',
    },
    {
      name: 'lead-formula',
      label: 'Lead of WRITE at the largest message, by the formula',
      unit: 'µs',
      text: 'Time of both copies − round trip.',
    },
    {
      name: 'lead-measured',
      label: 'Lead of WRITE at the largest message, measured',
      unit: 'µs',
      text: 'Eager − WRITE in each round: the median and the range. Negative where eager was faster.',
    },
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
    {
      name: 'immediate',
      label: 'Immediate after the CTS',
      text: '1 means ready: the data is in the receiver’s buffer.',
    },
  ],
  tables: [
    {
      name: 'ways',
      label: 'What each way costs',
      text: 'CPU time per largest message: medians, with the copies and all threads of Node.js.',
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
      text: 'Medians until the sender knows that the bytes are there. Last columns: rounds won.',
      columns: [
        { name: 'size', label: 'Message', unit: 'B' },
        ...WAYS.map(({ id, title }) => ({ name: id, label: title, unit: 'µs' })),
        { name: 'copies', label: 'Both copies', unit: 'µs' },
        { name: 'rate', label: 'Rate of both', unit: 'GB/s' },
        { name: 'order-write', label: 'Faster, of eager and WRITE' },
        { name: 'order-read', label: 'Faster, of eager and READ' },
      ],
    },
  ],
  curves: [
    {
      name: 'times',
      label: 'Time of a message',
      text: 'Where bars overlap, the table Times by size says who won how many rounds.',
      x: { label: 'Message', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: WAYS.map(({ id, title }) => ({ name: id, label: title })),
    },
    {
      name: 'parts',
      label: 'What the ways differ in',
      text: 'Eager pays for the copies, rendezvous for the round trip.',
      x: { label: 'Message', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: [
        { name: 'copies', label: 'Both copies' },
        { name: 'trip', label: 'Round trip' },
      ],
    },
  ],
};
