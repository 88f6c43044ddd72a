import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const unreliableParams = z.object({
  messages: z.int().min(2).max(16).default(4).meta({
    title: 'Messages',
    description: 'WRITEs over each of the two connections.',
  }),
  packets: z.int().min(3).max(8).default(4).meta({
    title: 'Packets per message',
    description: 'The length of each message, in path MTUs.',
  }),
  link: linkParam,
});

export type UnreliableParams = z.output<typeof unreliableParams>;
