import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'sent', label: 'Edited packets sent' },
    { name: 'dropped', label: 'Dropped', text: 'In silence: only a counter of the server’s device moved.' },
    { name: 'refused', label: 'Refused with a NAK' },
    { name: 'executed', label: 'Executed all the same' },
    { name: 'harmless', label: 'Of these with the same effect as the original' },
  ],
  tables: [
    {
      name: 'edits',
      label: 'One edit each',
      text: 'Each packet is a WRITE Only of 64 B on a new connection. Only the edited field and the ICRC differ from the packet that the client’s device made.',
      columns: [
        { name: 'edit', label: 'Edit' },
        { name: 'what', label: 'What it says now' },
        { name: 'verdict', label: 'The server’s device' },
        { name: 'answer', label: 'Answer' },
        { name: 'counters', label: 'Counters' },
        { name: 'memory', label: 'Server’s memory' },
        { name: 'status', label: 'Client’s completion' },
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
