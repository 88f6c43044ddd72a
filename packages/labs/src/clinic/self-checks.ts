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
    id: 'status-4',
    text: 'A completion has status 4, and the tap shows no packet. Where is the mistake?',
    options: [
      { id: 'local', text: 'In the lkey or the range of an SGE' },
      { id: 'remote', text: 'In the rkey' },
      { id: 'network', text: 'In the network' },
    ],
    answer: 'local',
    worked:
      'Status 4 is LOC_PROT_ERR: the client’s own device refused the local memory before it sent anything. A wrong rkey needs a packet and gives status 10.',
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
