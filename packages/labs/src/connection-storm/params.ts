import { z } from 'zod';

import { repetitionsThat } from '../form/common-params.js';
export const connectionStormParams = z.object({
  most: z.int().min(2).max(64).default(16).meta({
    title: 'At once',
    description:
      'Most connections that the client makes at the same time. The lab begins with 1 and doubles.',
  }),
  connections: z.int().min(8).max(512).default(32).meta({
    title: 'Connections per step',
    description: 'By each way, for each number at once. Rounded up to a multiple of that number.',
  }),
  repeat: repetitionsThat(
    'How often each number at once is measured, all in turns. Results show the median and the range.',
  ),
  backlog: z.int().min(1).max(64).default(4).meta({
    title: 'Backlog',
    description: 'Requests that the library keeps for a server’s program that does not take them yet.',
  }),
  extra: z.int().min(1).max(64).default(12).meta({
    title: 'Requests beyond the backlog',
    description: 'Requests that come while the backlog is full.',
  }),
  heldMs: z.int().min(0).max(2000).default(300).meta({
    title: 'Busy for',
    description:
      'How long the server’s program takes no request after the last rejection, or after 2 s if some requests are not rejected.',
    unit: 'ms',
  }),
});

export type ConnectionStormParams = z.output<typeof connectionStormParams>;
