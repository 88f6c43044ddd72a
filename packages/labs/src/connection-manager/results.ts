import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'cm-setup',
      label: 'Setup by rdma_cm, at the client',
      unit: 'ms',
      text: 'Sum of the client’s calls. rdma_connect includes the time until the server’s program accepted, and Verbs Lab drives that program.',
    },
    {
      name: 'hand-setup',
      label: 'Setup by hand, at the client',
      unit: 'ms',
      text: 'Sum of the client’s calls. The out-of-band exchange is not included; programs need a socket for it.',
    },
    { name: 'cm-write', label: 'WRITE over the connection by rdma_cm', unit: 'µs' },
    { name: 'hand-write', label: 'WRITE over the connection by hand', unit: 'µs' },
    { name: 'setup-writes', label: 'WRITEs that take as long as the setup by rdma_cm' },
    {
      name: 'udp-setup',
      label: 'Sends on UDP sockets for the setup',
      text: 'By the counter of the client’s device.',
    },
    {
      name: 'udp-data',
      label: 'Sends on UDP sockets for the data',
      text: 'By the counter of the client’s device. 0 over shared memory.',
    },
    { name: 'reason', label: 'Reason for the rejection' },
  ],
  tables: [
    {
      name: 'trace',
      label: 'Every call, and the event that completed it',
      columns: [
        { name: 'way', label: 'Connection' },
        { name: 'endpoint', label: 'Endpoint' },
        { name: 'tag', label: 'Part' },
        { name: 'call', label: 'Call' },
        { name: 'event', label: 'Completed by' },
        { name: 'time', label: 'Time', unit: 'µs' },
      ],
    },
    {
      name: 'messages',
      label: 'Messages of the connection manager, at the client',
      columns: [
        { name: 'message', label: 'Message' },
        { name: 'direction', label: 'Direction' },
        { name: 'qpn', label: 'Destination QPN' },
      ],
    },
  ],
};
