import { choiceCheck, numberCheck, type SelfCheckSpec } from '../form/self-checks.js';

export const SELF_CHECKS: SelfCheckSpec[] = [
  numberCheck({
    id: 'rnr-tries',
    numbers: { retry: { min: 0, max: 6 } },
    text: ({ retry }) =>
      `rnr_retry is ${retry} and the peer never posts a RECV. How many RNR NAKs come before status 13?`,
    answer: ({ retry }) => retry + 1,
    unit: 'NAKs',
    tolerance: 0,
    worked: ({ retry }) => `The first try and ${retry} more are each answered by an RNR NAK: ${retry + 1}.`,
  }),
  choiceCheck({
    id: 'silence',
    text: 'A WRITE was posted. No completion comes, no event, and both QPs are in RTS. What do you look at first?',
    options: [
      { id: 'timeout', text: 'The client’s timeout attribute' },
      { id: 'rkey', text: 'The rkey' },
      { id: 'cq', text: 'The size of the CQ' },
    ],
    answer: 'timeout',
    worked:
      'With timeout 0 no timer retransmits a lost packet or reports it. A wrong rkey gives status 10, and a CQ that overruns gives the event CQ_ERR.',
  }),
];
