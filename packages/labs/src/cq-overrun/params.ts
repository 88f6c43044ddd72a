import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linkParam } from '../endpoints/link.js';

export const cqOverrunParams = z.object({
  entries: z.int().min(4).max(256).default(16).meta({
    title: 'Completion queue',
    description: 'Entries to ask for. The device may create more.',
    unit: 'entries',
  }),
  extra: z.int().min(1).max(64).default(1).meta({
    title: 'Requests beyond its size',
    description: 'Signaled requests that the client posts beyond the entries, without polling.',
  }),
  link: linkParam,
});

export const CQ_OVERRUN_RULES: ParamRule[] = [
  {
    param: 'entries',
    bound: 'at-most',
    of: { device: 'maxCqe' },
    why: 'A device limits the entries of a completion queue.',
  },
];

export type CqOverrunParams = z.output<typeof cqOverrunParams>;
