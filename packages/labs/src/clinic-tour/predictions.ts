import type { Prediction } from '@verbslab/protocol';

export const PREDICTIONS: Prediction[] = [
  {
    kind: 'number',
    id: 'silent',
    text: 'How many failures show no error: no refused call, error status, event, or code in an answer?',
    figure: 'silent',
  },
  {
    kind: 'choice',
    id: 'same-status',
    text: 'Which mistake has the same status as a peer that is gone?',
    options: [
      { id: 'rkey', text: 'A wrong rkey' },
      { id: 'recv', text: 'A missing RECV with rnr_retry 3' },
      { id: 'psn', text: 'PSNs that do not match' },
    ],
  },
  {
    kind: 'choice',
    id: 'qkey',
    text: 'A datagram has a wrong Q_Key. What does the sender’s completion say?',
    options: [
      { id: 'error', text: 'A remote error' },
      { id: 'success', text: 'Success, status 0' },
      { id: 'none', text: 'There is no completion' },
    ],
  },
];
