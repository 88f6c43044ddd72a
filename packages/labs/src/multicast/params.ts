import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { GROUPS } from './address.js';

export const multicastParams = z.object({
  receivers: z.int().min(1).max(8).default(3).meta({
    title: 'Receivers',
    description: 'Endpoints that attach to the group.',
  }),
  group: z.enum(GROUPS).default('239.1.2.3').meta({
    title: 'Group',
    description: 'IPv4 address of the multicast group.',
  }),
  size: z.int().min(1).max(256).default(64).meta({
    title: 'Message size',
    description: 'Bytes of payload of each datagram.',
    unit: 'B',
  }),
  link: linkParam,
});

export type MulticastParams = z.output<typeof multicastParams>;
