import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linkParam } from '../endpoints/link.js';
import { pointMs, repetitions } from '../form/common-params.js';

export const signalEveryParams = z.object({
  size: z.int().min(8).max(65_536).default(64).meta({
    title: 'Message size',
    description: 'Small messages show the cost per request; large ones hide it behind the data.',
    unit: 'B',
  }),
  depth: z.int().min(2).max(1024).default(128).meta({
    title: 'Send queue of the sweep',
    description: 'Requests that the send queue holds. The sweep signals every 1, 2, 4, … up to this number.',
  }),
  postList: z.int().min(1).max(256).default(32).meta({
    title: 'Requests per post',
    description:
      'Requests passed to one ibv_post_send. With lists, the cost of posting does not hide the cost of completions.',
  }),
  wait: z.enum(['event', 'poll']).default('event').meta({
    title: 'How the client waits',
    description:
      'event: the client sleeps until its completion channel wakes it. poll: it spins on the completion queue. On a software device a spinning program takes CPU time from the device.',
  }),
  smallQueue: z.int().min(2).max(64).default(16).meta({
    title: 'Small send queue',
    description: 'Requests that the send queue holds in the second part, which signals too rarely or never.',
  }),
  duration: pointMs(40),
  repeat: repetitions.default(6),
  link: linkParam,
});

export const SIGNAL_EVERY_RULES: ParamRule[] = [
  {
    param: 'depth',
    bound: 'at-most',
    of: { device: 'maxQpWr' },
    why: 'A device limits the requests of a queue pair.',
  },
  {
    param: 'postList',
    bound: 'at-most',
    of: { param: 'depth' },
    why: 'A list must fit the send queue.',
  },
];

export type SignalEveryParams = z.output<typeof signalEveryParams>;
