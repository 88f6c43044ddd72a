import type { ResultSpecs } from '@verbslab/protocol';

const ROUNDS = 'median of the rounds';

export const RESULTS: ResultSpecs = {
  headline: { figures: ['torn-data-first', 'torn-record-first', 'torn-in-place'] },
  figures: [
    {
      name: 'looks',
      label: 'Looks per order',
      text: 'One after each step of a checkpoint, as if the trainer had died there.',
    },
    {
      name: 'torn-data-first',
      label: 'Looks that found a torn checkpoint, record last',
      text: 'The record names a checkpoint of which a part is missing or old.',
    },
    { name: 'torn-record-first', label: 'Looks that found a torn checkpoint, record first' },
    { name: 'torn-in-place', label: 'Looks that found a torn checkpoint, one slot' },
    {
      name: 'placed',
      label: 'Bytes of a shard that the dead trainer left',
      unit: 'B',
      text: 'The device dropped its other packets on purpose. No value where it cannot.',
    },
    { name: 'restored', label: 'Epoch restored after the trainer’s death' },
    {
      name: 'compute',
      label: 'Computing alone',
      unit: 'µs',
      text: 'One addition per float32 value of all shards.',
    },
    {
      name: 'transfer',
      label: 'Transfer alone',
      unit: 'µs',
      text: 'All shards are posted together, and their completions awaited at the end.',
    },
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
    {
      name: 'saved',
      label: 'Saved by the overlap',
      unit: 'µs',
      text: `One after the other − overlapped, ${ROUNDS}. Medians need not add up.`,
    },
    {
      name: 'waits',
      label: 'Part 1: waits between the shards',
      unit: 'µs',
      text: `One after the other − computing alone − transfer alone, ${ROUNDS}.`,
    },
    {
      name: 'hidden',
      label: 'Part 2: transfer hidden behind computing',
      unit: 'µs',
      text: `Computing alone + transfer alone − overlapped, ${ROUNDS}. A range across 0 shows nothing.`,
    },
    {
      name: 'bound',
      label: 'Most that part 2 can be',
      unit: 'µs',
      text: 'The shorter of computing alone and transfer alone.',
    },
    { name: 'path-direct', label: 'WRITE from the buffer itself', unit: 'µs', text: 'Largest size.' },
    { name: 'path-staged', label: 'Copy, then WRITE', unit: 'µs', text: 'Largest size.' },
    { name: 'path-copy', label: 'Copy alone', unit: 'µs', text: 'Largest size.' },
    {
      name: 'path-extra',
      label: 'What the copy added',
      unit: 'µs',
      text: `Largest size: copy, then WRITE − WRITE from the buffer, ${ROUNDS}.`,
    },
  ],
  tables: [
    {
      name: 'crashes',
      label: 'A look after every step',
      text: 'Last column: every epoch that is whole, whatever the record names.',
      columns: [
        { name: 'order', label: 'Order' },
        { name: 'step', label: 'Last step before the look' },
        { name: 'record', label: 'Record: epoch' },
        { name: 'checkpoint', label: 'Checkpoint of that epoch' },
        { name: 'verdict', label: 'Verifying READ' },
        { name: 'left', label: 'Epochs whole in memory' },
      ],
    },
    {
      name: 'paths',
      label: 'With and without a copy on the way',
      text: 'Medians, to the completion of the WRITE, or the end of the copy.',
      columns: [
        { name: 'size', label: 'Size', unit: 'B' },
        { name: 'direct', label: 'From the buffer itself', unit: 'µs' },
        { name: 'staged', label: 'Copy, then WRITE', unit: 'µs' },
        { name: 'copy', label: 'Copy alone', unit: 'µs' },
        { name: 'computed', label: 'From the buffer + copy alone', unit: 'µs' },
        { name: 'order', label: 'Faster' },
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
