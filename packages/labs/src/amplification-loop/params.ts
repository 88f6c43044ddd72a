import { z } from 'zod';
import { seedParam } from '../fabric/params.js';

export const amplificationLoopParams = z.object({
  senders: z.int().min(4).max(48).default(16).meta({
    title: 'Senders',
    description: 'Hosts that send to one in the first part, without end.',
  }),
  load: z.number().min(40).max(80).default(70).meta({
    title: 'Load',
    description: 'Of each link in the second part: flows begin at random times, whatever the network does.',
    unit: '%',
  }),
  buffer: z.int().min(100).max(800).default(225).meta({
    title: 'Buffer per port',
    description: 'All ports share the sum of it.',
    unit: 'KB',
  }),
  spike: z.number().min(0).max(2).default(1).meta({
    title: 'Disturbance',
    description: 'Time for which all links run at 10 Gb/s in the second part, once.',
    unit: 'ms',
  }),
  seed: seedParam,
});
export type AmplificationLoopParams = z.output<typeof amplificationLoopParams>;
