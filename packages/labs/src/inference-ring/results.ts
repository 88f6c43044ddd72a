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
      text: 'Half a ring more than there are slots was written. Found by the sequence numbers.',
    },
    { name: 'alone', label: 'Time of one request alone', unit: 'µs' },
    { name: 'full', label: 'Time of the largest batch', unit: 'µs', text: 'As large as the ring.' },
    { name: 'rate-alone', label: 'Rate one by one', unit: 'thousand/s' },
    { name: 'rate-best', label: 'Highest median rate', unit: 'thousand/s' },
    {
      name: 'best-at',
      label: 'Requests per batch at that rate',
      text: 'The answer says which sizes are not clearly slower.',
    },
    {
      name: 'knee',
      label: 'Knee: smallest batch with 90 % of the best rate',
      unit: 'requests',
      text: 'No value where the measured sizes show no bend or no clear gain.',
    },
    {
      name: 'fixed',
      label: 'Cost of a batch',
      unit: 'µs',
      text: 'By the line through the measured medians, with least squares of relative errors.',
    },
    { name: 'each', label: 'Cost of a request', unit: 'µs', text: 'By the same line.' },
    {
      name: 'limit',
      label: 'Rate that no batch exceeds, by the line',
      unit: 'thousand/s',
      text: '1 / cost of a request. A measured rate can be higher.',
    },
    {
      name: 'knee-line',
      label: 'Batch with 90 % of that rate, by the line',
      unit: 'requests',
      text: '9 × cost of a batch / cost of a request.',
    },
    {
      name: 'deviation',
      label: 'Largest deviation from the line',
      unit: '%',
      text: '|line − measured median| / measured median. Above 20 %, the line does not describe this run.',
    },
    { name: 'deviation-at', label: 'Requests per batch at that deviation' },
  ],
  tables: [
    {
      name: 'batches',
      label: 'Notifications with credits',
      text: 'The first eight, in the order in which they arrived.',
      columns: [
        { name: 'id', label: 'Immediate: id of the batch' },
        { name: 'bytes', label: 'byte_len', unit: 'B' },
        { name: 'requests', label: 'Requests' },
        { name: 'complete', label: 'All of them intact' },
      ],
    },
    {
      name: 'ring',
      label: 'The ring after too many requests',
      text: 'The first slots, and the last overwritten one with its neighbor.',
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
      text: 'One batch at a time, until the client has posted its next RECV.',
      columns: [
        { name: 'batch', label: 'Requests per batch' },
        { name: 'time', label: 'Time', unit: 'µs' },
        { name: 'shortest', label: 'Shortest', unit: 'µs' },
        { name: 'longest', label: 'Longest', unit: 'µs' },
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
      text: 'In a service, a request may first wait for the batch to fill.',
      x: { label: 'Requests per batch', log: true },
      y: { label: 'Time', unit: 'µs', log: true },
      series: [
        { name: 'measured', label: 'Measured' },
        { name: 'computed', label: 'By the line' },
      ],
    },
  ],
};
