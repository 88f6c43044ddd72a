import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linkParam } from '../endpoints/link.js';
import { pointMs, repetitions } from '../form/common-params.js';

export const queuePerThreadParams = z.object({
  threads: z.int().min(2).max(16).default(4).meta({
    title: 'Threads',
    description: 'The sweep takes 1, 2, 4, … up to this number of threads of the client.',
    unit: 'threads',
  }),
  lock: z
    .enum(['mutex', 'spin'])
    .default('mutex')
    .meta({
      title: 'Lock of the shared queues',
      description:
        'A thread that waits for a mutex sleeps until the mutex is free. One that waits for a spinlock keeps its CPU busy, as in the providers of rdma-core.',
      choiceTitles: { mutex: 'Mutex', spin: 'Spinlock' },
    }),
  size: z.int().min(8).max(65_536).default(64).meta({
    title: 'Message size',
    description: 'Small messages show the cost of calls and locks; large ones hide it behind the data.',
    unit: 'B',
  }),
  depth: z.int().min(16).max(1024).default(64).meta({
    title: 'Requests in flight',
    description:
      'For all threads together. Each thread gets an equal share, with own and with shared queues.',
    unit: 'requests',
  }),
  duration: pointMs(100),
  repeat: repetitions,
  link: linkParam,
});

export const QUEUE_PER_THREAD_RULES: ParamRule[] = [
  {
    param: 'depth',
    bound: 'at-most',
    of: { device: 'maxQpWr' },
    why: 'A device limits the requests of a queue pair.',
  },
];

export type QueuePerThreadParams = z.output<typeof queuePerThreadParams>;
