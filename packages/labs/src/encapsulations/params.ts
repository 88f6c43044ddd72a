import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const encapsulationsParams = z.object({
  size: z.int().min(1).max(256).default(32).meta({
    title: 'Payload',
    description: 'Bytes of the one WRITE that the client sends.',
    unit: 'B',
  }),
  link: linkParam,
});

export type EncapsulationsParams = z.output<typeof encapsulationsParams>;
