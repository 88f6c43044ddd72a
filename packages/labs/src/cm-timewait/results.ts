import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'timewait',
      label: 'Timewait at the client',
      unit: 'ms',
      digits: 4,
      text: 'First connection, from DISCONNECTED to TIMEWAIT_EXIT.',
    },
    {
      name: 'timewait-server',
      label: 'Timewait at the server',
      unit: 'ms',
      digits: 4,
      text: 'First connection, from its rdma_disconnect, which sends the reply, to TIMEWAIT_EXIT.',
    },
    {
      name: 'ack-timeout',
      label: 'ACK timeout of the connection',
      unit: 'ms',
      digits: 4,
      text: '4.096 µs × 2^n, with n from the ConnectRequest.',
    },
    { name: 'times-ack', label: 'Timewait in ACK timeouts', text: 'At the client.' },
    { name: 'both-messages', label: 'Messages when both disconnect at once' },
    { name: 'copies', label: 'DisconnectRequests sent for the third connection' },
    {
      name: 'lost-delay',
      label: 'Until the server learns of the end',
      unit: 'ms',
      text: 'Third connection, from rdma_disconnect at the client to DISCONNECTED at the server.',
    },
  ],
  tables: [
    {
      name: 'ends',
      label: 'Events of each end',
      text: 'Times after the client’s rdma_disconnect. Status 0: the peer answered, or asked to disconnect.',
      columns: [
        { name: 'ending', label: 'Ending' },
        { name: 'endpoint', label: 'Endpoint' },
        { name: 'disconnected', label: 'DISCONNECTED', unit: 'ms', digits: 4 },
        { name: 'status', label: 'Status' },
        { name: 'exit', label: 'TIMEWAIT_EXIT', unit: 'ms', digits: 4 },
        { name: 'timewait', label: 'Timewait', unit: 'ms', digits: 4 },
      ],
    },
    {
      name: 'messages',
      label: 'Messages of each ending',
      text: 'At the client’s device, after its rdma_disconnect. A message that it drops counts as sent.',
      columns: [
        { name: 'ending', label: 'Ending' },
        { name: 'message', label: 'Message' },
        { name: 'direction', label: 'Direction' },
        { name: 'after', label: 'First copy', unit: 'ms' },
        { name: 'last', label: 'Last copy', unit: 'ms' },
        { name: 'copies', label: 'Copies' },
      ],
    },
    {
      name: 'again',
      label: 'Connecting again during the timewait',
      columns: [
        { name: 'what', label: 'Tried' },
        { name: 'answer', label: 'Result' },
      ],
    },
  ],
};
