import type { ResultSpecs } from '@verbslab/protocol';
import { SYMPTOM_COLUMNS } from '../failures/evidence.js';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'brokenTime',
      label: 'Time to the completion, with the mistake',
      unit: 'µs',
      text: 'From post to poll, inside the client’s process. A dash: none came or was timed.',
    },
    { name: 'fixedTime', label: 'Time to the completion, without the mistake', unit: 'µs' },
  ],
  tables: [
    {
      name: 'symptoms',
      label: 'Symptoms',
      columns: [
        { name: 'version', label: 'Program' },
        ...SYMPTOM_COLUMNS,
        { name: 'works', label: 'Works' },
        { name: 'seen', label: 'Also seen' },
      ],
    },
    {
      name: 'counters',
      label: 'Counters that grew',
      text: 'Only those that grew in at least one of the two programs.',
      columns: [
        { name: 'side', label: 'Side' },
        { name: 'counter', label: 'Counter' },
        { name: 'broken', label: 'With the mistake' },
        { name: 'fixed', label: 'Without it' },
      ],
    },
    {
      name: 'diagnosis',
      label: 'Diagnosis',
      columns: [
        { name: 'part', label: 'Part' },
        { name: 'text', label: 'Text' },
      ],
    },
  ],
};
