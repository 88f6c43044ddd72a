import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { repetitions } from '../form/common-params.js';

export const fourModesParams = z.object({
  payload: z.int().min(64).max(65_536).default(4096).meta({
    title: 'Payload',
    description: 'Bytes that each mode moves.',
    unit: 'B',
  }),
  rounds: z.int().min(5).max(500).default(50).meta({
    title: 'Operations per measurement',
    description: 'One after the other. A measurement is the median of them.',
  }),
  wait: z
    .enum(['event', 'poll'])
    .default('event')
    .meta({
      title: 'The server waits by',
      description:
        'Sleeping on a completion channel (event), or polling its CQ (poll). A server that nobody interrupts does neither.',
      choiceTitles: { event: 'Sleeping', poll: 'Polling' },
    }),
  repeat: repetitions,
  link: linkParam,
});

export type FourModesParams = z.output<typeof fourModesParams>;
