import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const atomicsParams = z.object({
  clients: z.int().min(2).max(8).default(3).meta({
    title: 'Clients',
    description: 'Programs that all increment the same 8-byte counter at the same time.',
  }),
  increments: z.int().min(1).max(60).default(20).meta({
    title: 'Increments per client',
    description: 'How often each client adds 1 to the counter, in each of the three ways.',
  }),
  link: linkParam,
});

export type AtomicsParams = z.output<typeof atomicsParams>;
