import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'waited-right', label: 'Arrived as written: buffer reused after the completion' },
    { name: 'reused-right', label: 'Arrived as written: buffer reused at once' },
    { name: 'early-status', label: 'Status after deregistering too early' },
    { name: 'missing-status', label: 'Status without a RECV' },
    { name: 'missing-tries', label: 'Tries without a RECV' },
    { name: 'short-client', label: 'Status of the SEND, RECV too short' },
    { name: 'short-server', label: 'Status of the RECV, too short' },
    { name: 'lost-right', label: 'Arrived as written: one packet lost' },
    { name: 'lost-again', label: 'Packets sent again after one loss' },
    { name: 'beyond-status', label: 'Status after more losses than retry_cnt' },
    { name: 'unread-right', label: 'Arrived as written: peer gone, no status read' },
    { name: 'rebuilt-right', label: 'Arrived as written: connected and sent again' },
  ],
  tables: [
    {
      name: 'trials',
      label: 'Contracts, kept and broken',
      text: 'Each line is a connection of its own, except that the last two share their QPs.',
      columns: [
        { name: 'contract', label: 'Contract' },
        { name: 'program', label: 'Program or network' },
        { name: 'right', label: 'Arrived as written' },
        { name: 'told', label: 'Program that gets an error' },
        { name: 'client', label: 'Statuses at the client' },
        { name: 'server', label: 'Statuses at the server' },
      ],
    },
    {
      name: 'lengths',
      label: 'Messages and their RECVs',
      columns: [
        { name: 'message', label: 'Message' },
        { name: 'sent', label: 'Sent', unit: 'B' },
        { name: 'received', label: 'byte_len of its RECV', unit: 'B' },
      ],
    },
  ],
};
