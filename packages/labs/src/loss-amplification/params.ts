import { z } from 'zod';
import { repetitionsThat } from '../form/common-params.js';
import { linkParam } from '../endpoints/link.js';
import { seedParam } from '../loss/faulty.js';

export const lossAmplificationParams = z.object({
  size: z.int().min(64).max(4096).default(1024).meta({
    title: 'Message size',
    description: 'Small enough for one packet each, unless the path MTU is smaller.',
    unit: 'B',
  }),
  messages: z.int().min(100).max(500).default(400).meta({
    title: 'Messages',
    description: 'WRITEs of one transfer. The packets of every transfer are captured at both ends.',
  }),
  largest: z.int().min(2).max(64).default(64).meta({
    title: 'Largest window',
    description: 'The lab keeps 1, 2, 4, … up to this number of messages in flight.',
  }),
  loss: z.number().min(0.5).max(2).default(1).meta({
    title: 'Loss',
    description: 'Of the packets that the client sends, in the second part.',
    unit: '%',
  }),
  seed: seedParam,
  repeat: repetitionsThat('Each transfer is repeated; results show the median and the range.', 3, 9),
  link: linkParam,
});
export type LossAmplificationParams = z.output<typeof lossAmplificationParams>;
