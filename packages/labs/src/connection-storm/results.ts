import type { ResultSpecs } from '@verbslab/protocol';

const MEDIANS = 'median, µs';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'rate-one',
      label: 'Connections per second, one at a time',
      text: 'By rdma_cm, made and ended.',
    },
    { name: 'rate-best', label: 'Best rate: connections per second' },
    { name: 'best-at', label: 'Number at once with the best rate' },
    { name: 'rate-most', label: 'Connections per second, most at once' },
    {
      name: 'knee',
      label: 'Knee: smallest number at once with 90 % of the best rate',
      text: 'No value at the first or the last number: the measured numbers then show no bend. None either where the best rate is not clearly higher than that of one at a time.',
    },
    { name: 'gain', label: 'Gain by connecting at once', text: 'Best rate / rate one at a time.' },
    {
      name: 'time-one',
      label: 'Time to connect, one at a time',
      unit: 'µs',
      text: 'From the first call to ESTABLISHED at the client; median.',
    },
    { name: 'time-most', label: 'Time to connect, most at once', unit: 'µs', text: 'Median.' },
    { name: 'longest-most', label: 'Longest time to connect, most at once', unit: 'µs' },
    {
      name: 'tcp-time',
      label: 'TCP connect, one at a time',
      unit: 'µs',
      text: 'From opening a socket of the same program until it is connected; median. No QP is involved.',
    },
    { name: 'hand-best', label: 'Best rate by hand: connections per second' },
    { name: 'hand-at', label: 'Number at once with the best rate by hand' },
    { name: 'rejected', label: 'Requests rejected because the backlog was full' },
    {
      name: 'rejected-time',
      label: 'Longest time until a rejection',
      unit: 'ms',
      text: 'From rdma_connect, with the QP made, to REJECTED.',
    },
    { name: 'waited-time', label: 'Longest wait in the backlog', unit: 'ms', text: 'Until ESTABLISHED.' },
    { name: 'sent-again', label: 'ConnectRequests sent again', text: 'By the requests in the backlog.' },
    {
      name: 'receipts',
      label: 'MsgRcptAck messages',
      text: 'The server’s connection manager asks the client for patience.',
    },
  ],
  tables: [
    {
      name: 'levels',
      label: 'More connections at once',
      text: `The client’s program is one thread, so steps of connections that are made at once wait for each other. Rates are medians and the range of the repetitions. Times of calls last until their event (${MEDIANS}). Other: the time to connect less the four calls. End: from ESTABLISHED to DISCONNECTED.`,
      columns: [
        { name: 'atOnce', label: 'At once' },
        { name: 'connections', label: 'Connections' },
        { name: 'rate', label: 'rdma_cm', unit: '1/s' },
        { name: 'lowest', label: 'Lowest', unit: '1/s' },
        { name: 'highest', label: 'Highest', unit: '1/s' },
        { name: 'median', label: 'Time to connect', unit: 'µs' },
        { name: 'address', label: 'rdma_resolve_addr', unit: 'µs' },
        { name: 'route', label: 'rdma_resolve_route', unit: 'µs' },
        { name: 'qp', label: 'rdma_create_qp', unit: 'µs' },
        { name: 'connect', label: 'rdma_connect', unit: 'µs' },
        { name: 'other', label: 'Other', unit: 'µs' },
        { name: 'longest', label: 'Longest connect', unit: 'µs' },
        { name: 'end', label: 'End', unit: 'µs' },
        { name: 'hand', label: 'By hand', unit: '1/s' },
        { name: 'tcp', label: 'TCP connect', unit: 'µs' },
      ],
    },
    {
      name: 'overflow',
      label: 'A full backlog',
      text: 'All requests came while the server’s program took none.',
      columns: [
        { name: 'requests', label: 'Requests' },
        { name: 'count', label: 'How many' },
        { name: 'event', label: 'Event at the client' },
        { name: 'first', label: 'First answer after', unit: 'ms' },
        { name: 'last', label: 'Last answer after', unit: 'ms' },
      ],
    },
  ],
  curves: [
    {
      name: 'rate',
      label: 'Connections per second',
      text: 'By rdma_cm: made and ended. By hand: until both QPs are ready.',
      x: { label: 'At once', log: true },
      y: { label: 'Connections', unit: '1/s' },
      series: [
        { name: 'cm', label: 'rdma_cm' },
        { name: 'hand', label: 'by hand over TCP' },
      ],
    },
    {
      name: 'times',
      label: 'Distribution of the time to connect',
      text: 'How many of the connections were established within a time.',
      x: { label: 'Time to connect', unit: 'µs', log: true },
      y: { label: 'Connections', unit: '%' },
      series: [
        { name: 'one', label: 'one at a time' },
        { name: 'most', label: 'most at once' },
      ],
    },
  ],
};
