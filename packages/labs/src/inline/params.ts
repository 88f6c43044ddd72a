import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { pointMs, repetitions } from '../form/common-params.js';

export const inlineParams = z.object({
  largest: z.int().min(16).max(400).default(256).meta({
    title: 'Largest inline payload',
    description: 'Asked for as max_inline_data. The sweep measures 8, 16, 32, … up to it.',
    unit: 'B',
  }),
  postList: z.int().min(1).max(64).default(16).meta({
    title: 'Requests per post',
    description: 'In a list, requests share the cost of the call, so it hides less of the cost of the copy.',
  }),
  duration: pointMs(40),
  repeat: repetitions.default(6),
  link: linkParam,
});

export type InlineParams = z.output<typeof inlineParams>;
