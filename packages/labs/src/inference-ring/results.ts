import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'notifications', label: 'Notifications at the server, with credits' },
    {
      name: 'in-flight',
      label: 'Most requests without a result, with credits',
      text: 'It must not exceed the slots.',
    },
    {
      name: 'overwritten',
      label: 'Requests overwritten without credits',
      text: 'Found by their sequence numbers.',
    },
    { name: 'alone', label: 'Time of one request alone', unit: 'µs' },
    { name: 'full', label: 'Time of the largest batch', unit: 'µs', text: 'As large as the ring.' },
    { name: 'rate-alone', label: 'Rate one by one', unit: 'thousand/s' },
    { name: 'rate-best', label: 'Best rate', unit: 'thousand/s' },
    { name: 'knee', label: 'Smallest batch with 90 % of the best rate', unit: 'requests' },
    {
      name: 'fixed',
      label: 'Cost of a batch',
      unit: 'µs',
      text: 'By the line through the measured times: time = cost of a batch + size × cost of a request.',
    },
    { name: 'each', label: 'Cost of a request', unit: 'µs', text: 'By the same line.' },
  ],
  tables: [
    {
      name: 'batches',
      label: 'Notifications with credits',
      text: 'The first eight, as the server got them.',
      columns: [
        { name: 'id', label: 'Immediate: id of the batch' },
        { name: 'bytes', label: 'byte_len', unit: 'B' },
        { name: 'requests', label: 'Requests' },
        { name: 'complete', label: 'Of them whole in their slots' },
      ],
    },
    {
      name: 'ring',
      label: 'The ring after too many requests',
      text: 'The first slots, and those at the border.',
      columns: [
        { name: 'slot', label: 'Slot' },
        { name: 'expected', label: 'Sequence expected' },
        { name: 'found', label: 'Sequence found' },
        { name: 'state', label: 'State' },
      ],
    },
    {
      name: 'sizes',
      label: 'Batch sizes',
      text: 'One batch at a time. Times are medians, from the first post until the results are in the client’s memory.',
      columns: [
        { name: 'batch', label: 'Requests per batch' },
        { name: 'time', label: 'Time', unit: 'µs' },
        { name: 'computed', label: 'By the line', unit: 'µs' },
        { name: 'rate', label: 'Requests', unit: 'thousand/s' },
      ],
    },
  ],
  curves: [
    {
      name: 'rate',
      label: 'Requests per second by batch size',
      x: { label: 'Requests per batch', log: true },
      y: { label: 'Requests', unit: 'thousand/s' },
    },
    {
      name: 'latency',
      label: 'Time of a batch by its size',
      text: 'Every request of a batch waits that long, and before that until the batch is full.',
      x: { label: 'Requests per batch', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: [
        { name: 'measured', label: 'Measured' },
        { name: 'computed', label: 'By the line' },
      ],
    },
  ],
};
