import type { ResultSpecs } from '@verbslab/protocol';
import { SYMPTOM_COLUMNS } from '../failures/evidence.js';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'cases', label: 'Failures shown' },
    {
      name: 'silent',
      label: 'Failures without an error',
      text: 'No call refused, no completion with an error, no asynchronous event, no code in an answer of the peer’s program.',
    },
    { name: 'refused', label: 'Failures that a call refuses' },
    {
      name: 'goneTime',
      label: 'Time until the loss of the peer is noticed',
      unit: 'ms',
      text: 'From the post to the completion with status 12, inside the client’s process; timeout 12, retry_cnt 3.',
    },
    {
      name: 'rnrZeroTime',
      label: 'Time of a SEND with min_rnr_timer 0',
      unit: 'ms',
      text: 'From the post to the completion, inside the client’s process. The timer alone is 655.36 ms.',
    },
  ],
  tables: [
    {
      name: 'failures',
      label: 'What each failure shows',
      text: 'Status of the request, errno of the refused call, asynchronous events, NAKs that the client received. Time from the post to the completion, measured inside the client’s process; a dash: none came. Failures that this device cannot show are left out.',
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
      text: 'The program of “timeout 0” loses its packet here too, on purpose, and retransmits it after its timeout of 67 ms.',
      columns: [
        { name: 'failure', label: 'Failure' },
        { name: 'status', label: 'Status' },
        { name: 'time', label: 'Time to the completion', unit: 'µs' },
        { name: 'works', label: 'Works' },
      ],
    },
  ],
};
