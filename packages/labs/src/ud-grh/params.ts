import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const udGrhParams = z.object({
  size: z.int().min(1).max(256).default(64).meta({
    title: 'Message size',
    description: 'Bytes of payload of each datagram.',
    unit: 'B',
  }),
  spare: z.int().min(0).max(40).default(40).meta({
    title: 'Room before the payload',
    description: 'Bytes of the receive buffer beyond the message size. A GRH needs 40 B.',
    unit: 'B',
  }),
  link: linkParam,
});

export type UdGrhParams = z.output<typeof udGrhParams>;
