import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linkParam } from '../endpoints/link.js';
import { pointMs, repetitions } from '../form/common-params.js';

export const postListsParams = z.object({
  size: z.int().min(8).max(65_536).default(64).meta({
    title: 'Message size',
    description: 'Small messages show the cost of posting; large ones hide it behind the data.',
    unit: 'B',
  }),
  largest: z.int().min(2).max(256).default(64).meta({
    title: 'Longest list',
    description: 'The sweep posts 1, 2, 4, … up to this number of requests with each ibv_post_send.',
    unit: 'requests',
  }),
  depth: z.int().min(2).max(1024).default(256).meta({
    title: 'Requests in flight',
    description: 'Requests that the send queue holds in the sweep (tx-depth). The same for every list.',
  }),
  duration: pointMs(40),
  repeat: repetitions.default(6),
  link: linkParam,
});

export const POST_LISTS_RULES: ParamRule[] = [
  { param: 'largest', bound: 'at-most', of: { param: 'depth' }, why: 'A list must fit the send queue.' },
  {
    param: 'depth',
    bound: 'at-most',
    of: { device: 'maxQpWr' },
    why: 'A device limits the requests of a queue pair.',
  },
];

export type PostListsParams = z.output<typeof postListsParams>;
