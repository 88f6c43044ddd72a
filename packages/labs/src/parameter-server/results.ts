import type { ResultSpecs } from '@verbslab/protocol';

const CPU = 'Per chunk, on one connection, while the server sleeps between notifications.';
const REST = 'Its program and wake-ups of the device’s thread; per chunk, while the server sleeps between.';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'notifications', label: 'Notifications per push', text: 'One per chunk.' },
    { name: 'pull-completions', label: 'Completions at the server after all pulls' },
    {
      name: 'staleness',
      label: 'Staleness in turns',
      unit: 'versions',
      text: 'Versions between a worker’s pull and its push, after the first turn of each.',
    },
    {
      name: 'distance-sync',
      label: 'Distance to the optimum, in lockstep',
      text: 'After all gradients: root mean square, in parts of that at the start.',
    },
    {
      name: 'distance-async',
      label: 'Distance to the optimum, in turns',
      text: 'After as many gradients. At the start it is 1.',
    },
    {
      name: 'pull-app',
      label: 'CPU time of the server’s process but NIC work, per pull',
      unit: 'µs',
      text: REST,
    },
    { name: 'pull-nic', label: 'NIC work at the server, per pull', unit: 'µs', text: CPU },
    {
      name: 'push-app',
      label: 'CPU time of the server’s process but NIC work, per push',
      unit: 'µs',
      text: REST,
    },
    { name: 'push-nic', label: 'NIC work at the server, per push', unit: 'µs', text: CPU },
  ],
  tables: [
    {
      name: 'chunks',
      label: 'The first push of worker 1',
      text: 'Immediate from the completion; layer and offset (in parameters) from the chunk. byte_len includes both.',
      columns: [
        { name: 'immediate', label: 'Immediate' },
        { name: 'step', label: 'Step (upper 16 bits)' },
        { name: 'number', label: 'Chunk (lower 16 bits)' },
        { name: 'layer', label: 'layer_id' },
        { name: 'offset', label: 'offset' },
        { name: 'bytes', label: 'byte_len', unit: 'B' },
      ],
    },
    {
      name: 'updates',
      label: 'Updates in turns',
      text: 'The first ten.',
      columns: [
        { name: 'update', label: 'Update' },
        { name: 'worker', label: 'Worker' },
        { name: 'read', label: 'Version it pulled' },
        { name: 'applied', label: 'Version it changed' },
        { name: 'staleness', label: 'Staleness' },
        { name: 'distance', label: 'Distance afterward' },
      ],
    },
  ],
  curves: [
    {
      name: 'distance',
      label: 'Distance to the optimum',
      text: 'After each update. An absolute value: in turns the error can change its sign.',
      x: { label: 'Gradients pushed' },
      y: { label: 'Distance', log: true },
      series: [
        { name: 'synchronous', label: 'In lockstep' },
        { name: 'asynchronous', label: 'In turns' },
      ],
    },
  ],
};
