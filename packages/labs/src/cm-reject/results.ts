import type { ResultSpecs } from '@verbslab/protocol';

const AFTER = 'From the request to the answer, captured at the client.';

export const RESULTS: ResultSpecs = {
  headline: { table: 'rejections', columns: ['case', 'reason', 'time'] },
  figures: [
    { name: 'program-reason', label: 'Reason when a program rejects' },
    { name: 'no-listener-reason', label: 'Reason when no program listens' },
    {
      name: 'program-time',
      label: 'Time until the program’s rejection',
      unit: 'ms',
      text: `${AFTER} Includes the program’s wait.`,
    },
    { name: 'closed-time', label: 'Time until the rejection for a destroyed id', unit: 'ms', text: AFTER },
    {
      name: 'no-listener-time',
      label: 'Time until “no listener”',
      unit: 'ms',
      text: 'From request to answer. The embedded device waits up to 75 ms for a listener.',
    },
    { name: 'no-service-time', label: 'The same for datagrams', unit: 'ms', text: AFTER },
    {
      name: 'no-datagrams-time',
      label: 'Time until a datagram service’s rejection',
      unit: 'ms',
      text: AFTER,
    },
  ],
  tables: [
    {
      name: 'rejections',
      label: 'What each side gets',
      text: 'Reason: from the captured packet. A UD QP is in RTS as soon as created.',
      columns: [
        { name: 'case', label: 'What happens' },
        { name: 'packet', label: 'Answer on the wire' },
        { name: 'reason', label: 'Reason or status in it' },
        { name: 'client', label: 'Client’s event' },
        { name: 'server', label: 'Server’s event' },
        { name: 'text', label: 'Private data' },
        { name: 'time', label: 'After the request', unit: 'ms' },
        { name: 'state', label: 'Client’s QP' },
      ],
    },
  ],
};
