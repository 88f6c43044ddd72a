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
      `The first try and ${retries} more each wait 4.096 µs × 2^${timeout} = ${(0.004096 * 2 ** timeout).toPrecision(4)} ms, which makes ${(0.004096 * 2 ** timeout * (retries + 1)).toPrecision(4)} ms. A device may wait up to four times as long.`,
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
    worked: 'The client’s own device finds a wrong lkey: status 4, and no packet.',
  }),
];
