import type { ResultSpecs } from '@verbslab/protocol';
import { SYMPTOM_COLUMNS } from '../failures/evidence.js';

export const RESULTS: ResultSpecs = {
  headline: { table: 'failures', columns: ['failure', 'status', 'nak'] },
  figures: [
    { name: 'cases', label: 'Failures shown' },
    {
      name: 'silent',
      label: 'Failures without an error',
      text: 'No refused call, error status, asynchronous event, or code in an answer.',
    },
    { name: 'refused', label: 'Failures that a call refuses' },
    {
      name: 'goneTime',
      label: 'Time until the loss of the peer is noticed',
      unit: 'ms',
      text: 'To the completion with status 12, inside the client’s process; timeout 12, retry_cnt 3.',
    },
    {
      name: 'rnrZeroTime',
      label: 'Time of a SEND with min_rnr_timer 0',
      unit: 'ms',
      text: 'From post to completion, inside the client’s process. The timer alone is 655.36 ms.',
    },
  ],
  tables: [
    {
      name: 'failures',
      label: 'What each failure shows',
      text: 'Time: from post to completion, inside the client’s process. A dash: none came.',
      columns: [
        { name: 'failure', label: 'Failure' },
        ...SYMPTOM_COLUMNS,
        { name: 'counters', label: 'Counters that grew' },
        { name: 'seen', label: 'Also seen' },
      ],
    },
    {
      name: 'fixes',
      label: 'Without the mistake',
      text: '“timeout 0” loses its packet here too, and retransmits it after its timeout, 67 ms.',
      columns: [
        { name: 'failure', label: 'Failure' },
        { name: 'status', label: 'Status' },
        { name: 'time', label: 'Time to the completion', unit: 'µs' },
        { name: 'works', label: 'Works' },
      ],
    },
  ],
};
