import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'alone', label: 'Goodput of one client alone', unit: 'Gb/s' },
    { name: 'total', label: 'Goodput of all clients together', unit: 'Gb/s' },
    { name: 'each', label: 'Goodput of one of them, on average', unit: 'Gb/s' },
    { name: 'share', label: 'Goodput of one of them, in parts of one alone', unit: '%' },
    {
      name: 'fairness',
      label: 'Fairness',
      text: 'Jain’s index: 1 if all get the same, 1 / N if one gets everything.',
    },
    {
      name: 'calm',
      label: 'Small request without clients, mean',
      unit: 'µs',
      text: 'A WRITE of 64 B, from post to completion.',
    },
    { name: 'beside', label: 'Small request with all clients, mean', unit: 'µs' },
    {
      name: 'waiting',
      label: 'Time for all posted bytes',
      unit: 'µs',
      text: 'Computed: N × window × message / goodput of all. An upper bound of the wait.',
    },
    {
      name: 'together',
      label: 'Time in which all clients sent',
      unit: '%',
      text: 'Of the time that each was measured. They do not begin together.',
    },
    {
      name: 'busy',
      label: 'NIC work at the server with all clients',
      unit: '%',
      text: 'CPU time of the server’s device; 100 % is one core.',
    },
    { name: 'naks', label: 'RNR NAKs of the server', text: 'In all measurements.' },
    {
      name: 'overruns',
      label: 'Datagrams dropped at the server with all clients',
      text: 'By the kernel, because the buffer of the socket was full. The devices then retransmit.',
    },
  ],
  tables: [
    {
      name: 'loads',
      label: 'By number of clients',
      text: 'Medians. NAKs, retransmitted and dropped: sums. NIC work: in parts of one core.',
      columns: [
        { name: 'clients', label: 'Clients' },
        { name: 'total', label: 'Goodput', unit: 'Gb/s' },
        { name: 'each', label: 'Per client', unit: 'Gb/s' },
        { name: 'fairness', label: 'Fairness' },
        { name: 'mean', label: 'Small request, mean', unit: 'µs' },
        { name: 'p50', label: 'p50', unit: 'µs' },
        { name: 'p90', label: 'p90', unit: 'µs' },
        { name: 'together', label: 'All at once', unit: '%' },
        { name: 'busy', label: 'Server’s NIC work', unit: '%' },
        { name: 'naks', label: 'RNR NAKs' },
        { name: 'retransmitted', label: 'Retransmitted' },
        { name: 'overruns', label: 'Dropped' },
      ],
    },
    {
      name: 'clients',
      label: 'Each client, all at once',
      text: 'Median and range of the repetitions. Share: of the sum of the medians.',
      columns: [
        { name: 'client', label: 'Client' },
        { name: 'goodput', label: 'Goodput', unit: 'Gb/s' },
        { name: 'min', label: 'Lowest', unit: 'Gb/s' },
        { name: 'max', label: 'Highest', unit: 'Gb/s' },
        { name: 'share', label: 'Share', unit: '%' },
      ],
    },
  ],
  curves: [
    {
      name: 'goodput',
      label: 'Goodput by number of clients',
      x: { label: 'Clients' },
      y: { label: 'Goodput', unit: 'Gb/s' },
      series: [
        { name: 'total', label: 'All together' },
        { name: 'each', label: 'One of them' },
      ],
    },
    {
      name: 'latency',
      label: 'Latency of a small request',
      x: { label: 'Clients' },
      y: { label: 'Latency', unit: 'µs', log: true },
      series: [
        { name: 'p50', label: 'p50' },
        { name: 'p90', label: 'p90' },
      ],
    },
  ],
};
