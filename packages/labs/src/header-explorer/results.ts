import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  headline: { table: 'edits', columns: ['edit', 'verdict', 'answer'] },
  figures: [
    { name: 'sent', label: 'Edited packets sent' },
    { name: 'dropped', label: 'Dropped', text: 'In silence: only a counter of the server’s device moved.' },
    { name: 'refused', label: 'Refused with a NAK' },
    { name: 'executed', label: 'Executed in spite of the edit' },
    {
      name: 'harmless',
      label: 'Executed, and changed the same bytes as the original',
      text: 'The new values may differ, and an ACK may be missing.',
    },
  ],
  tables: [
    {
      name: 'edits',
      label: 'One edit each',
      text: 'Each a WRITE Only of 64 B on a new connection, without an ACK timeout.',
      columns: [
        { name: 'edit', label: 'Edit' },
        { name: 'what', label: 'Meaning' },
        { name: 'verdict', label: 'The server’s device' },
        { name: 'answer', label: 'Answer' },
        { name: 'status', label: 'Client’s completion' },
        { name: 'memory', label: 'Server’s memory' },
        { name: 'counters', label: 'Counters' },
        { name: 'expected', label: 'Expected' },
        { name: 'before', label: 'Before' },
        { name: 'after', label: 'After' },
      ],
    },
    {
      name: 'own-fields',
      label: 'Your packet, field by field',
      text: 'As the client’s device made it, and as it was sent.',
      columns: [
        { name: 'field', label: 'Field' },
        { name: 'label', label: 'Name' },
        { name: 'before', label: 'Made' },
        { name: 'after', label: 'Sent' },
        { name: 'edited', label: 'Edited' },
      ],
    },
    {
      name: 'own-outcome',
      label: 'What became of your packet',
      columns: [
        { name: 'what', label: 'Question' },
        { name: 'found', label: 'Found' },
      ],
    },
  ],
};
