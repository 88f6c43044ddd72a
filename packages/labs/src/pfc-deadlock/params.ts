import { z } from 'zod';
import { seedParam } from '../fabric/params.js';

export const pfcDeadlockParams = z.object({
  switches: z.int().min(4).max(6).default(4).meta({
    title: 'Switches of the ring',
    description: 'Each has one host, which sends to the host two switches on.',
  }),
  xoff: z.int().min(50).max(200).default(100).meta({
    title: 'XOFF',
    description: 'Bytes of an ingress port at which its peer is paused.',
    unit: 'KB',
  }),
  detect: z.number().min(0.1).max(4).default(1).meta({
    title: 'Watchdog',
    description: 'A queue that is paused for so long is given up, for as long.',
    unit: 'ms',
  }),
  seed: seedParam,
});
export type PfcDeadlockParams = z.output<typeof pfcDeadlockParams>;
