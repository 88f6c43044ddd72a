import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  headline: { table: 'trials', columns: ['program', 'sent', 'right', 'told'] },
  figures: [
    { name: 'waited-right', label: 'Messages that arrived as written: buffer reused after the completion' },
    { name: 'reused-right', label: 'Messages that arrived as written: buffer reused at once' },
    {
      name: 'missing-tries',
      label: 'Tries of the first message without a RECV',
      text: 'The first one, and one per retry.',
    },
    { name: 'lost-right', label: 'Messages that arrived as written: one packet lost' },
    {
      name: 'lost-again',
      label: 'Packets sent again after one loss',
      text: 'The lost one, and those behind it that were under way.',
    },
    { name: 'unread-right', label: 'Messages that arrived as written: peer gone, no status read' },
    { name: 'rebuilt-right', label: 'Messages that arrived as written: connected and sent again' },
  ],
  tables: [
    {
      name: 'trials',
      label: 'Contracts, kept and broken',
      text: 'A connection per line; the last line reconnects the QPs of the line before.',
      columns: [
        { name: 'contract', label: 'Contract' },
        { name: 'program', label: 'Program or network' },
        { name: 'sent', label: 'Messages' },
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
