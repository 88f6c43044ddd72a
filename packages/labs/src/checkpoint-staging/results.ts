import type { ResultSpecs } from '@verbslab/protocol';

const SHARDS = 'All shards of a checkpoint.';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'torn-data-first',
      label: 'Crashes with a torn checkpoint, record last',
      text: 'The record names a checkpoint of which a part is missing or old.',
    },
    { name: 'torn-record-first', label: 'Crashes with a torn checkpoint, record first' },
    { name: 'torn-in-place', label: 'Crashes with a torn checkpoint, one slot' },
    {
      name: 'placed',
      label: 'Bytes of a shard that the dead trainer left',
      unit: 'B',
      text: 'The lab held its other packets back. No value where the device cannot do that.',
    },
    { name: 'restored', label: 'Epoch restored after the trainer’s death' },
    { name: 'compute', label: 'Computing alone', unit: 'µs', text: SHARDS },
    { name: 'transfer', label: 'Transfer alone', unit: 'µs', text: SHARDS },
    {
      name: 'serial',
      label: 'One after the other',
      unit: 'µs',
      text: 'Each shard is computed, written, and its completion awaited.',
    },
    {
      name: 'overlapped',
      label: 'Overlapped',
      unit: 'µs',
      text: 'Each shard is computed while the ones before are on their way.',
    },
    { name: 'saved', label: 'Saved by the overlap', unit: 'µs', text: 'One after the other − overlapped.' },
    {
      name: 'bound',
      label: 'Most that an overlap can save',
      unit: 'µs',
      text: 'The shorter of computing alone and transfer alone. One after the other also waits for each completion, which the overlap saves too.',
    },
    { name: 'path-direct', label: 'WRITE from the buffer itself', unit: 'µs', text: 'Largest size.' },
    { name: 'path-staged', label: 'Copy, then WRITE', unit: 'µs', text: 'Largest size.' },
    { name: 'path-copy', label: 'Copy alone', unit: 'µs', text: 'Largest size.' },
  ],
  tables: [
    {
      name: 'crashes',
      label: 'A crash after every step',
      text: 'Checkpoint: whether the manifest and the shards (by SHA-256) in the staging host’s memory are those of the trainer. The verifying READ compares only what it reads.',
      columns: [
        { name: 'order', label: 'Order' },
        { name: 'step', label: 'Last step before the crash' },
        { name: 'record', label: 'Record: epoch' },
        { name: 'checkpoint', label: 'Checkpoint' },
        { name: 'verdict', label: 'Verifying READ' },
      ],
    },
    {
      name: 'paths',
      label: 'With and without a copy on the way',
      text: 'Medians, from the start to the completion of the WRITE.',
      columns: [
        { name: 'size', label: 'Size', unit: 'B' },
        { name: 'direct', label: 'From the buffer itself', unit: 'µs' },
        { name: 'staged', label: 'Copy, then WRITE', unit: 'µs' },
        { name: 'copy', label: 'Copy alone', unit: 'µs' },
        { name: 'computed', label: 'Direct plus copy', unit: 'µs' },
      ],
    },
  ],
  curves: [
    {
      name: 'by-size',
      label: 'Time of a transfer by size',
      x: { label: 'Size', unit: 'B', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: [
        { name: 'direct', label: 'From the buffer itself' },
        { name: 'staged', label: 'Copy, then WRITE' },
      ],
    },
  ],
};
