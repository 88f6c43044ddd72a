import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { seedParam } from '../loss/faulty.js';

export const averagesHideSpikesParams = z.object({
  size: z.int().min(8).max(4096).default(64).meta({
    title: 'Message size',
    description:
      'Payload of each WRITE. One is in flight at a time. Above the path MTU, later packets overtake a delayed one, and the spike is shorter.',
    unit: 'B',
  }),
  messages: z.int().min(10_000).max(100_000).default(20_000).meta({
    title: 'Messages',
    description:
      'WRITEs with spikes, and as many without. p99.9 needs 10,000. Sent in four repetitions, so rounded up to a multiple of 4.',
  }),
  every: z.int().min(20).max(1000).default(200).meta({
    title: 'One spike in',
    description: 'The client’s device delays one packet in this many, on average.',
    unit: 'packets',
  }),
  delay: z.int().min(500).max(10_000).default(2000).meta({
    title: 'Length of a spike',
    description: 'How long the device holds such a packet back.',
    unit: 'µs',
  }),
  seed: seedParam,
  link: linkParam,
});
export type AveragesHideSpikesParams = z.output<typeof averagesHideSpikesParams>;
