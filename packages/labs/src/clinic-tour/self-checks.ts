import { choiceCheck, numberCheck, type SelfCheckSpec } from '../form/self-checks.js';

export const SELF_CHECKS: SelfCheckSpec[] = [
  numberCheck({
    id: 'timeout',
    numbers: { timeout: [8, 10, 14, 18], retries: { min: 1, max: 7 } },
    text: ({ timeout, retries }) =>
      `A peer is gone. timeout is ${timeout} and retry_cnt ${retries}. After how long can status 12 come at the earliest?`,
    answer: ({ timeout, retries }) => 0.004096 * 2 ** timeout * (retries + 1),
    unit: 'ms',
    worked: ({ timeout, retries }) =>
      `The first try and ${retries} more each wait 4.096 µs × 2^${timeout} = ${(0.004096 * 2 ** timeout).toPrecision(4)} ms, which makes ${(0.004096 * 2 ** timeout * (retries + 1)).toPrecision(4)} ms. The specification lets a device wait up to four times as long.`,
  }),
  choiceCheck({
    id: 'nak',
    text: 'A WRITE completes with status 10 and a NAK 0x62 came back. Which mistake can it not be?',
    options: [
      { id: 'right', text: 'The region does not grant REMOTE_WRITE' },
      { id: 'range', text: 'The WRITE ends beyond the region' },
      { id: 'lkey', text: 'The lkey of an SGE is wrong' },
    ],
    answer: 'lkey',
    worked:
      'A wrong lkey is found by the client’s own device: status 4, and no packet leaves it. The other two are found by the server.',
  }),
  choiceCheck({
    id: 'enomem',
    text: 'On a NIC, after 16 WRITEs that arrived, ibv_post_send returns ENOMEM, and ibv_poll_cq finds nothing. What is wrong?',
    options: [
      { id: 'memory', text: 'The machine is out of memory' },
      { id: 'signal', text: 'No request was signaled' },
      { id: 'limit', text: 'The locked-memory limit is too low' },
    ],
    answer: 'signal',
    worked:
      'The send queue has 16 slots. A NIC’s library frees them when a completion is polled, and unsignaled requests make none.',
  }),
];
