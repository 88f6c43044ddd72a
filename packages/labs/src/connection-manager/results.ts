import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'cm-setup',
      label: 'Setup by rdma_cm, at the client',
      unit: 'ms',
      text: 'Sum of the client’s calls, with the wait until the server’s program accepted.',
    },
    {
      name: 'hand-setup',
      label: 'Setup by hand, at the client',
      unit: 'ms',
      text: 'Sum of the client’s calls. The out-of-band exchange is not included.',
    },
    { name: 'cm-write', label: 'WRITE over the connection by rdma_cm', unit: 'µs' },
    { name: 'hand-write', label: 'WRITE over the connection by hand', unit: 'µs' },
    {
      name: 'connect',
      label: 'rdma_connect alone',
      unit: 'ms',
      text: 'Part of the setup by rdma_cm: from the call until ESTABLISHED.',
    },
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
      label: 'Every call, and the event that follows it',
      text: 'A call of the connection manager lasts until its event, except for rdma_disconnect.',
      columns: [
        { name: 'way', label: 'Connection' },
        { name: 'endpoint', label: 'Endpoint' },
        { name: 'tag', label: 'Part' },
        { name: 'call', label: 'Call' },
        { name: 'event', label: 'Event' },
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
