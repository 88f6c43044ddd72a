import { z } from 'zod';
import { repetitionsThat } from '../form/common-params.js';
import { linkParam } from '../endpoints/link.js';

export const retryTimersParams = z.object({
  timeout: z.int().min(4).max(14).default(10).meta({
    title: 'Largest timeout',
    description:
      'The largest value of the attribute. The lab starts at 4 and goes up in steps of 2, so it measures even values only. 14 means 67 ms for the first try.',
  }),
  retries: z.int().min(0).max(7).default(3).meta({
    title: 'retry_cnt',
    description: 'How often the device retransmits before it gives up.',
  }),
  rnrTimer: z.int().min(1).max(20).default(14).meta({
    title: 'min_rnr_timer',
    description: 'An index into a table: 1 is 0.01 ms, 14 is 1.28 ms, 20 is 10.24 ms.',
  }),
  repeat: repetitionsThat('Each measurement is repeated; the table shows the median and the spread.', 3, 9),
  link: linkParam,
});
export type RetryTimersParams = z.output<typeof retryTimersParams>;
