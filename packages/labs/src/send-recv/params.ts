import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const sendRecvParams = z.object({
  size: z.int().min(16).max(4096).default(256).meta({
    title: 'Longest message',
    description: 'Bytes of the first message. Each one after it is shorter, and the last is empty.',
    unit: 'B',
  }),
  messages: z.int().min(2).max(16).default(5).meta({
    title: 'Messages',
    description: 'How many messages of decreasing size the client sends in a row.',
  }),
  burst: z.int().min(4).max(32).default(12).meta({
    title: 'Burst',
    description: 'Messages that the client has ready at once, with and without credits.',
  }),
  recvs: z.int().min(1).max(3).default(2).meta({
    title: 'RECVs for the burst',
    description: 'How many RECVs the server has posted when the burst begins.',
  }),
  link: linkParam,
});

export type SendRecvParams = z.output<typeof sendRecvParams>;
